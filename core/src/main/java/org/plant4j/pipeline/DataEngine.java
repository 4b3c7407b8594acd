package org.plant4j.pipeline;

import java.util.Map;
import java.util.Optional;
import org.plant4j.experiment.Experiment;
import org.plant4j.model.LabelTasks;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.preparation.DocumentSource;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.Relevance;
import org.plant4j.text.PreparedCorpus;

/**
 * Where the work is done that divides by documents or by labels: in this process, or on a cluster. Results do not depend
 * on the engine, byte for byte, so runs of all engines share one cache.
 */
public interface DataEngine {

    /** The documents of an experiment; {@code evaluation} holds dev and test by name. */
    interface Documents extends AutoCloseable {

        DocumentSource train();

        Map<String, DocumentSource> evaluation();

        Optional<DocumentSource> unlabelled();

        @Override
        void close();
    }

    Documents open(Experiment experiment, Session session);

    /** Mutual information of tokens and trained labels in the training data of a prepared experiment. */
    Relevance mutualInformation(
            MutualInformation information, Experiment experiment, Session session, PreparedCorpus prepared);

    LabelTasks labelTasks();
}
