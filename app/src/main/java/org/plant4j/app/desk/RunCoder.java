package org.plant4j.app.desk;

import java.util.ArrayList;
import java.util.List;
import org.plant4j.predict.Coder;
import org.plant4j.predict.Suggestion;

/** Codes encounters with a run: its suggestions, each piece of evidence mapped back to its note. */
final class RunCoder {

    /** Codes that come with evidence; nobody reads that of the two-hundredth. */
    static final int EXPLAINED = 50;

    private final Coder coder;
    private final String model;
    private final String version;

    RunCoder(Coder coder, String model, String version) {
        this.coder = coder;
        this.model = model;
        this.version = version;
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
}
