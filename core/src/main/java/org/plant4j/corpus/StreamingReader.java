package org.plant4j.corpus;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** An open source read one element at a time, as a stream that closes it. */
public abstract class StreamingReader<T> implements Iterator<T>, Closeable {

    private @Nullable T next;
    private boolean ended;

    /** The next element, or null at the end. */
    abstract @Nullable public T readNext() throws IOException;

    public final Stream<T> stream() {
        int characteristics = Spliterator.ORDERED | Spliterator.NONNULL;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, characteristics), false)
                .onClose(() -> {
                    try {
                        close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    @Override
    public final boolean hasNext() {
        if (next == null && !ended) {
            try {
                next = readNext();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            ended = next == null;
        }
        return next != null;
    }

    @Override
    public final T next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        T element = next;
        next = null;
        return element;
    }
}
