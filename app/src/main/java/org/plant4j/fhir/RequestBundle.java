package org.plant4j.fhir;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.hl7.fhir.r4.model.Bundle;
import org.plant4j.UserError;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.SourceDocument;

/**
 * Answers a batch or a transaction: one response per entry, in the same order. In a batch, an entry that fails has an
 * OperationOutcome and does not affect the others; a transaction fails as a whole.
 */
final class RequestBundle {

    private static final String OPERATION = "$code";

    private final Bundle in;
    private final boolean transaction;
    private final Function<List<SourceDocument>, CodedDocument> coder;
    private final Function<RuntimeException, FhirError> errors;
    private final RequestSize size;
    private final Bundle out = new Bundle();

    RequestBundle(
            Bundle in,
            Function<List<SourceDocument>, CodedDocument> coder,
            Function<RuntimeException, FhirError> errors,
            RequestSize size) {
        size.requireEntries(in.getEntry().size());
        this.in = in;
        this.size = size;
        this.transaction = in.getType() == Bundle.BundleType.TRANSACTION;
        this.coder = coder;
        this.errors = errors;
        out.setType(transaction ? Bundle.BundleType.TRANSACTIONRESPONSE : Bundle.BundleType.BATCHRESPONSE);
        out.setId(UUID.randomUUID().toString());
        in.getEntry().forEach(each -> out.addEntry());
    }

    static boolean isRequest(Bundle bundle) {
        return bundle.getType() == Bundle.BundleType.BATCH || bundle.getType() == Bundle.BundleType.TRANSACTION;
    }

    /** Sent to the base URL: each entry is a call of the operation by itself. All are read before the first is coded. */
    Bundle answerCalls() {
        size.requireCalls(in.getEntry().size());
        List<Runnable> calls = new ArrayList<>();
        for (int i = 0; i < in.getEntry().size(); i++) {
            List<Integer> number = List.of(i);
            Bundle.BundleEntryComponent request = in.getEntry().get(i);
            Bundle.BundleEntryComponent response = out.getEntry().get(i);
            attempt(number, () -> {
                Collection<List<ResourceDocument>> encounters = read(request);
                calls.add(() -> attempt(number, () -> succeed(response, FhirCoding.code(encounters, coder))));
            });
        }
        calls.forEach(Runnable::run);
        return out;
    }

    private Collection<List<ResourceDocument>> read(Bundle.BundleEntryComponent entry) {
        String url = entry.getRequest().hasUrl() ? entry.getRequest().getUrl() : "";
        if (entry.getRequest().getMethod() != Bundle.HTTPVerb.POST
                || !(url.equals(OPERATION) || url.endsWith("/" + OPERATION))) {
            throw new UserError("The request is not supported", "request.url", "use POST $code");
        }
        if (!entry.hasResource()) {
            throw DocumentExtractor.noDocument("resource");
        }
        return FhirCoding.byEncounter(DocumentExtractor.extract(entry.getResource(), size), size);
    }

    /** Sent to the operation: the entries are documents, and those of one encounter are coded together. */
    Bundle answerDocuments() {
        DocumentExtractor extractor = new DocumentExtractor(in, size);
        Map<ResourceDocument.EncounterKey, List<ResourceDocument>> encounters = new LinkedHashMap<>();
        Map<ResourceDocument.EncounterKey, List<Integer>> entries = new LinkedHashMap<>();
        for (int i = 0; i < in.getEntry().size(); i++) {
            int number = i;
            attempt(List.of(i), () -> {
                List<ResourceDocument> documents = extractor.add(in.getEntry().get(number));
                documents.forEach(document -> {
                    encounters
                            .computeIfAbsent(document.encounterKey(), key -> new ArrayList<>())
                            .add(document);
                    List<Integer> numbers = entries.computeIfAbsent(document.encounterKey(), key -> new ArrayList<>());
                    if (!numbers.contains(number)) {
                        numbers.add(number);
                    }
                });
                if (documents.isEmpty()) {
                    inform(out.getEntry().get(number), "Not a document; nothing was stored");
                }
            });
        }
        size.addEncounters(encounters.size());
        encounters.forEach((key, documents) -> {
            List<Integer> numbers = entries.getOrDefault(key, List.of());
            attempt(numbers, () -> {
                succeed(out.getEntry().get(numbers.get(0)), FhirCoding.code(List.of(documents), coder));
                numbers.stream()
                        .skip(1)
                        .forEach(each ->
                                inform(out.getEntry().get(each), "Coded together with entry " + numbers.get(0)));
            });
        });
        return out;
    }

    private void attempt(List<Integer> numbers, Runnable work) {
        try {
            work.run();
        } catch (UserError e) {
            fail(numbers, new UserError(e.what(), "Bundle.entry[" + numbers.get(0) + "], " + e.where(), e.remedy(), e));
        } catch (RuntimeException e) {
            fail(numbers, e);
        }
    }

    private void fail(List<Integer> numbers, RuntimeException failure) {
        if (transaction) {
            throw failure;
        }
        FhirError error = errors.apply(failure);
        numbers.forEach(each -> out.getEntry()
                .get(each)
                .getResponse()
                .setStatus(String.valueOf(error.status()))
                .setOutcome(error.outcome()));
    }

    private static void succeed(Bundle.BundleEntryComponent entry, Bundle result) {
        Bundle earlier = (Bundle) entry.getResource();
        if (earlier == null) {
            entry.setFullUrl("urn:uuid:" + result.getIdPart()).setResource(result);
        } else { // an entry may itself be a bundle with several encounters
            result.getEntry().forEach(earlier::addEntry);
        }
        entry.getResponse().setStatus("200 OK");
    }

    private static void inform(Bundle.BundleEntryComponent entry, String what) {
        if (!entry.hasResource()) {
            entry.getResponse().setStatus("200 OK").setOutcome(FhirError.information(what));
        }
    }
}
