package org.plant4j.fhir;

/**
 * What one request may contain, which bounds the memory and time that it takes.
 *
 * @param characters of all documents together; documents that share a Binary count each
 * @param encounters that are coded
 * @param entries of a batch or transaction
 */
public record FhirLimits(long characters, int encounters, int entries) {

    private static final int MAX_ENCOUNTERS = 100;
    private static final int MAX_ENTRIES = 1000;

    /** For local files. */
    public static final FhirLimits NONE = new FhirLimits(Long.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** The limits of a server whose documents have at most so many characters per request. */
    public static FhirLimits ofRequest(long characters) {
        return new FhirLimits(characters, MAX_ENCOUNTERS, MAX_ENTRIES);
    }
}
