package org.plant4j.cli.option;

import java.util.Iterator;
import java.util.stream.Stream;
import org.plant4j.corpus.Split;

/** The names of splits, for shell completion. */
public final class SplitNames implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
        return Stream.of(Split.values()).map(Split::toString).iterator();
    }
}
