package org.plant4j.server.coding;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.Coder;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.SuggestedCode;
import org.plant4j.prediction.Suggestion;

/** Codes encounters with a run: its suggestions, each piece of evidence mapped back to its note. */
public final class EncounterCoder {

    /** Codes that come with evidence; nobody reads that of the two-hundredth. */
    static final int MAX_EXPLAINED = 50;

    private final Coder coder;
    private final String model;
    private final String version;
    private final boolean hasDescriptionEvidence;

    public EncounterCoder(Coder coder, ModelInfo info) {
        this.coder = coder;
        this.model = info.name();
        this.version = info.version();
        this.hasDescriptionEvidence = info.explains().descriptions();
    }

    public List<CodedDocument> code(List<CodingQueue.CodingRequest> batch) {
        List<String> texts = batch.stream().map(work -> work.encounter().text()).toList();
        int codes =
                batch.stream().mapToInt(CodingQueue.CodingRequest::codes).max().orElse(0);
        List<List<Suggestion>> suggested = coder.code(texts, codes, Math.min(codes, MAX_EXPLAINED));
        List<CodedDocument> coded = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            CodingQueue.CodingRequest work = batch.get(i);
            List<Suggestion> asked =
                    suggested.get(i).stream().limit(work.codes()).toList();
            coded.add(CodedDocument.of(model, version, work.encounter(), asked));
        }
        return coded;
    }

    /** One code the model learned, however low it ranks. */
    public Explanation explain(Encounter encounter, String code) {
        String text = encounter.text();
        return new Explanation(
                model,
                version,
                SuggestedCode.of(encounter, coder.explain(text, code)),
                hasDescriptionEvidence
                        ? Optional.of(Explanation.DescriptionSpan.of(
                                coder.descriptionEvidence(text, List.of(code)).get(0)))
                        : Optional.empty(),
                coder.chosenView(text, code));
    }
}
