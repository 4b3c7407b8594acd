package org.plant4j.fhir;

/** Counts the content of one request and fails above the limits. */
final class RequestSize {

    private final FhirLimits limits;
    private long characters;
    private long encounters;

    RequestSize(FhirLimits limits) {
        this.limits = limits;
    }

    void addCharacters(int count) {
        characters += count;
        require(characters, limits.characters(), "characters in its documents");
    }

    void addEncounters(int count) {
        encounters += count;
        require(encounters, limits.encounters(), "encounters");
    }

    /** Entries that call the operation: each codes at least one encounter. */
    void requireCalls(int count) {
        require(count, limits.encounters(), "entries");
    }

    void requireEntries(int count) {
        require(count, limits.entries(), "entries");
    }

    private static void require(long count, long limit, String what) {
        if (count > limit) {
            throw new RequestTooLarge("The request has more than " + limit + " " + what);
        }
    }
}
