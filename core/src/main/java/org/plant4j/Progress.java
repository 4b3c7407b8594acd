package org.plant4j;

/** Reports the progress of long-running tasks. The command line shows it as a bar; a library user may ignore it. */
public interface Progress {

    /** Ignores everything. */
    Progress NONE = (name, total) -> new Task() {
        @Override
        public void advance(long steps) {}

        @Override
        public void message(String message) {}

        @Override
        public void close() {}
    };

    /**
     * Starts a task with {@code total} steps, or -1 if the number is unknown.
     *
     * @param name the name of the task
     * @param total the number of steps, or -1
     * @return the task
     */
    Task start(String name, long total);

    /** A running task; closed when it ends, normally or not. */
    interface Task extends AutoCloseable {

        /**
         * Reports that steps are done.
         *
         * @param steps the number of steps since the last call
         */
        void advance(long steps);

        /**
         * Sets the short message beside the bar, such as the current loss. Never contains document text.
         *
         * @param message a short text; never contains document text
         */
        void message(String message);

        /**
         * Reports a result that deserves its own line, such as the metrics of an epoch.
         *
         * @param message a short text; never contains document text
         */
        default void milestone(String message) {
            message(message);
        }

        @Override
        void close();
    }
}
