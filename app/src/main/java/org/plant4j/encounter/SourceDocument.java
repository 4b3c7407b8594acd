package org.plant4j.encounter;

/** One document of an encounter; evidence refers to it by its id. */
public record SourceDocument(String id, String title, String text) {

    /** Omits the text, which must not appear in logs. */
    @Override
    public String toString() {
        return "SourceDocument[" + id + ", " + text.length() + " characters]";
    }
}
