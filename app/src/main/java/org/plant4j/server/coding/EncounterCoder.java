package org.plant4j.server.coding;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.plant4j.Coder;
import org.plant4j.CodingResult;
import org.plant4j.Explanation;
import org.plant4j.Suggestion;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;

/** Codes and explains encounters with a run; evidence is mapped to the documents. */
public final class EncounterCoder {

    /** The number of codes per document that have evidence. */
    static final int MAX_EXPLAINED = 50;

    private final Supplier<Coder> coder;
    private final String model;
    private final String version;
    private final CodedResults results;

    public EncounterCoder(Supplier<Coder> coder, String model, String version, CodedResults results) {
        this.coder = coder;
        this.model = model;
        this.version = version;
        this.results = results;
    }

    public List<CodedDocument> code(List<CodingQueue.CodingRequest> batch) {
        List<String> texts =
                batch.stream().map(request -> request.encounter().text()).toList();
        int codes =
                batch.stream().mapToInt(CodingQueue.CodingRequest::codes).max().orElse(0);
        List<CodingResult> predicted = coder.get().code(texts, codes, Math.min(codes, MAX_EXPLAINED));
        List<CodedDocument> coded = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            CodingQueue.CodingRequest request = batch.get(i);
            List<Suggestion> requested = predicted.get(i).suggestions().stream()
                    .limit(request.codes())
                    .toList();
            CodingResult result = new CodingResult(predicted.get(i).domain(), requested);
            CodedDocument document = CodedDocument.of(model, version, request.encounter(), result);
            results.add(request.encounter().text(), document);
            coded.add(document);
        }
        return coded;
    }

    /** Explains a code, whether or not it is suggested. */
    public CodeExplanation explain(Encounter encounter, String code) {
        Explanation explanation = coder.get().explain(encounter.text(), code);
        return new CodeExplanation(
                model,
                version,
                new Explanation(
                        explanation.domain(),
                        encounter.locate(explanation.suggestion()),
                        explanation.descriptionEvidence(),
                        explanation.view()));
    }
}
