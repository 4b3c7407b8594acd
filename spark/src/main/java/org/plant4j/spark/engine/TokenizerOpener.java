package org.plant4j.spark.engine;

import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import org.plant4j.text.Tokenizer;

/** Opens a tokenizer in a task; tokenizers themselves cannot travel. */
@FunctionalInterface
interface TokenizerOpener extends Serializable {

    Tokenizer open();

    /** Opens a tokenizer that closes at the end of the task. */
    default Tokenizer openForTask() {
        Tokenizer tokenizer = open();
        TaskContext.get().addTaskCompletionListener((TaskCompletionListener) task -> tokenizer.close());
        return tokenizer;
    }
}
