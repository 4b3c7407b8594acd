package org.plant4j.server.coding;

import java.util.ArrayList;
import java.util.List;
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

    private final Coder coder;
    private final String model;
    private final String version;
    private final CodedResults results;

    public EncounterCoder(Coder coder, ModelInfo info, CodedResults results) {
        this.coder = coder;
        this.model = info.name();
        this.version = info.version();
        this.results = results;
    }

    public List<CodedDocument> code(List<CodingQueue.CodingRequest> batch) {
        List<String> texts =
                batch.stream().map(request -> request.encounter().text()).toList();
        int codes =
                batch.stream().mapToInt(CodingQueue.CodingRequest::codes).max().orElse(0);
        List<CodingResult> predicted = coder.code(texts, codes, Math.min(codes, MAX_EXPLAINED));
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
        Explanation explanation = coder.explain(encounter.text(), code);
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
