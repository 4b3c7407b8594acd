package org.plant4j.model;

import java.util.function.Supplier;
import org.plant4j.support.Progress;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;

/** What an experiment gives a model to train on, and where it takes the result. */
public interface TrainingContext {

    int vocabularySize();

    LabelIndex labels();

    /** Training documents, and passages of them if the experiment cuts any. */
    Dataset trainingData();

    /** Number of training documents without passages. */
    int documentCount();

    long seed();

    Compute compute();

    Progress progress();

    /** What a network starts from; computed, or taken from the cache, when it is first needed. */
    NetworkInputs networkInputs();

    /** Trains a network, selects the best epoch on dev and stores it. Returns false if training was interrupted. */
    boolean fit(LabelNetwork<?> network);

    /** Runs a training that has no epochs, stores its model and closes it. Returns true. */
    boolean fitInOneStep(Supplier<? extends Model> training);

    /** Trains the members of an ensemble and stores them. Returns false if training was interrupted. */
    boolean trainMembers();
}
