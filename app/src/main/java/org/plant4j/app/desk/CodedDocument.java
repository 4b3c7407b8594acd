package org.plant4j.app.desk;

import java.util.List;

/** What a model says of a document: the codes it supports, best first, and which model that was. */
public record CodedDocument(String model, String version, List<SuggestedCode> codes) {

    public CodedDocument {
        codes = List.copyOf(codes);
    }
}
