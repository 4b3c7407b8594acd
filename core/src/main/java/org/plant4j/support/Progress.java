package org.plant4j.support;

/** Where a long job tells how far it is: a terminal draws a bar, a library or a test listens to nothing. */
public interface Progress {

    /** Listens to nothing. */
    Progress NONE = (name, total) -> new Task() {
        @Override
        public void advance(long steps) {}

        @Override
        public void message(String message) {}

        @Override
        public void close() {}
    };

    /** Begins a task of {@code total} steps; -1 where the number is not known. */
    Task start(String name, long total);

    /** One running task; closed when it ends, however it ends. */
    interface Task extends AutoCloseable {

        void advance(long steps);

        /** A few words shown beside the bar, such as the loss. Never a note's text. */
        void message(String message);

        @Override
        void close();
    }
}
