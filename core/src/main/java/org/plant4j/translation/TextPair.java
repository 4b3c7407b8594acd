package org.plant4j.translation;

import java.util.List;

/** The words of a sentence or phrase, and those of its translation. */
public record TextPair(List<String> source, List<String> target) {

    public TextPair {
        source = List.copyOf(source);
        target = List.copyOf(target);
    }

    TextPair reversed() {
        return new TextPair(target, source);
    }
}
