package org.plant4j.app.desk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.predict.Coder;
import org.plant4j.predict.Suggestion;

/** Codes encounters with a run: its suggestions, each piece of evidence mapped back to its note. */
final class RunCoder {

    /** Codes that come with evidence; nobody reads that of the two-hundredth. */
    static final int EXPLAINED = 50;

    private final Coder coder;
    private final String model;
    private final String version;
    private final boolean byDescriptions;

    RunCoder(Coder coder, ModelFacts facts) {
        this.coder = coder;
        this.model = facts.name();
        this.version = facts.version();
        this.byDescriptions = facts.byDescriptions();
    }

    List<CodedDocument> code(List<CodingQueue.Work> batch) {
        List<String> texts = batch.stream().map(work -> work.document().text()).toList();
        int codes = batch.stream().mapToInt(CodingQueue.Work::codes).max().orElse(0);
        List<List<Suggestion>> suggested = coder.code(texts, codes, Math.min(codes, EXPLAINED));
        List<CodedDocument> coded = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            CodingQueue.Work work = batch.get(i);
            List<Suggestion> asked =
                    suggested.get(i).stream().limit(work.codes()).toList();
            coded.add(CodedDocument.of(model, version, work.document(), asked));
        }
        return coded;
    }

    /** One code the model learned, however low it ranks. */
    Explanation explain(Encounter encounter, String code) {
        String text = encounter.text();
        return new Explanation(
                model,
                version,
                SuggestedCode.of(encounter, coder.explain(text, code)),
                byDescriptions
                        ? Optional.of(Explanation.Words.of(
                                coder.inDescriptions(text, List.of(code)).get(0)))
                        : Optional.empty(),
                coder.chosenView(text, code));
    }
}
