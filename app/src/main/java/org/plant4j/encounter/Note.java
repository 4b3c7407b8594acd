package org.plant4j.encounter;

/** One note of an encounter; evidence names it by its id. */
public record Note(String id, String title, String text) {

    /** Omits the text, which must not appear in logs. */
    @Override
    public String toString() {
        return "Note[" + id + ", " + text.length() + " characters]";
    }
}
