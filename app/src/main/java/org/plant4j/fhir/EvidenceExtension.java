package org.plant4j.fhir;

import org.hl7.fhir.r4.model.CodeType;
import org.hl7.fhir.r4.model.Extension;
import org.hl7.fhir.r4.model.StringType;
import org.hl7.fhir.r4.model.UnsignedIntType;
import org.plant4j.Evidence;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.Review;

/** The extension for an evidence span: document, UTF-16 offsets, text, and the weight and traits of a model's evidence. */
final class EvidenceExtension {

    static final String URL = FhirCoding.EXTENSIONS + "evidence";

    private EvidenceExtension() {}

    /** A span that a model gives as evidence. */
    static Extension of(Evidence evidence, SourceDocument document) {
        Extension extension =
                span(document, evidence.span().start(), evidence.span().end());
        extension.addExtension("text", new StringType(evidence.text()));
        extension.addExtension("weight", FhirCoding.decimal(evidence.weight()));
        evidence.traits().forEach(trait -> extension.addExtension("trait", new CodeType(trait.key())));
        return extension;
    }

    /** A span that a coder marked; it has no text if the server does not keep texts. */
    static Extension of(Review.MarkedSpan marked, SourceDocument document) {
        Extension extension = span(document, marked.start(), marked.end());
        if (marked.end() <= document.text().length()) {
            extension.addExtension("text", new StringType(document.text().substring(marked.start(), marked.end())));
        }
        return extension;
    }

    private static Extension span(SourceDocument document, int start, int end) {
        Extension extension = new Extension(URL);
        extension.addExtension("document", new StringType(document.id()));
        if (!document.title().isBlank()) {
            extension.addExtension("title", new StringType(document.title()));
        }
        extension.addExtension("start", new UnsignedIntType(start));
        extension.addExtension("end", new UnsignedIntType(end));
        return extension;
    }
}
