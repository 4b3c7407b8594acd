package org.plant4j.corpus.demo;

import java.util.List;
import org.plant4j.Document;
import org.plant4j.Span;

/** A generated document with the mentions of conditions and their context, which the generator knows. */
public record AnnotatedSummary(Document document, List<Mention> mentions) {

    /** What a mention says about the patient. */
    public enum Context {
        /** The patient has the condition: gold evidence. */
        PRESENT,
        /** The condition was ruled out. */
        RULED_OUT,
        /** The patient is told to watch for the condition, or to be screened for it. */
        HYPOTHETICAL,
        /** A relative has the condition, or no relative has it. */
        RELATIVE
    }

    public record Mention(Span span, Context context) {}

    public AnnotatedSummary {
        mentions = List.copyOf(mentions);
    }
}
