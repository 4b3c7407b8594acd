package org.plant4j.corpus.file;

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

/** Base class of readers that produce one element at a time; {@link #stream()} closes the reader with the stream. */
public abstract class StreamingReader<T> implements Iterator<T>, Closeable {

    private @Nullable T next;
    private boolean exhausted;

    /** The next element, or null at the end. */
    protected abstract @Nullable T readNext() throws IOException;

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
        if (next == null && !exhausted) {
            try {
                next = readNext();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            exhausted = next == null;
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
