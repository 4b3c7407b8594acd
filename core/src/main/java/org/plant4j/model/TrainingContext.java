package org.plant4j.model;

import java.util.function.Supplier;
import org.plant4j.Progress;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Vocabulary;

/** Provides the data of an experiment to a model that is trained, and stores the trained model. */
public interface TrainingContext {

    Vocabulary vocabulary();

    default int vocabularySize() {
        return vocabulary().size();
    }

    LabelIndex labels();

    /** The training documents, followed by their passages if the experiment uses passages. */
    Dataset trainingData();

    /** The dev documents, which may have no labels. */
    Dataset devData();

    /** Number of training documents without passages. */
    int documentCount();

    long seed();

    Compute compute();

    Progress progress();

    /** Where models with independent labels are trained. */
    default LabelTasks labelTasks() {
        return LabelTasks.LOCAL;
    }

    /** Everything a network is initialised from; computed or read from the cache by this call. */
    NetworkInputs networkInputs();

    /** Trains a network, selects the best epoch on dev and stores it. Returns false if training was interrupted. */
    boolean fit(LabelNetwork<?> network);

    /** Trains a model that has no epochs, stores it and closes it. Returns true. */
    boolean fitInOneStep(Supplier<? extends Model> training);

    /** Trains the members of an ensemble, combines them and stores the result. Returns false if training was interrupted. */
    boolean trainMembers(MemberCombiner combiner);
}
