package org.plant4j;

/**
 * Receives the outcome of each stage of a training, such as {@code prepare: 1,120 documents, 98 labels} or {@code network:
 * reused runs/mine}.
 */
@FunctionalInterface
public interface StageListener {

    /**
     * Called when a stage has ended.
     *
     * @param stage the name of the stage, such as {@code prepare} or {@code network}
     * @param outcome a short text for logs; never contains document text
     */
    void onStage(String stage, String outcome);
}
