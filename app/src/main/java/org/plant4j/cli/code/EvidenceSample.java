package org.plant4j.cli.code;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.Coder;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.explain.EvidencePage;
import org.plant4j.metric.Predictions;

/** Randomly chosen predicted codes of a split, with their evidence: a look at what the coders of a run would see. */
record EvidenceSample(List<PredictedCode> codes) {

    /** A predicted code of a document. */
    record PredictedCode(String document, String code, boolean correct) {}

    /** Draws from the stored predictions of a run; the same seed gives the same codes. */
    static EvidenceSample draw(RunDirectory run, String split, int count, long seed) {
        List<PredictedCode> all = new ArrayList<>();
        for (Predictions.ScoredDocument document :
                Predictions.read(run.predictions(split)).documents()) {
            Set<String> gold = Set.copyOf(document.gold());
            document.predicted().forEach(code -> all.add(new PredictedCode(document.id(), code, gold.contains(code))));
        }
        if (all.isEmpty()) {
            throw new UserError(
                    "The run predicted no codes on " + split,
                    run.predictions(split).toString(),
                    "use another split");
        }
        Collections.shuffle(all, new Random(seed));
        return new EvidenceSample(List.copyOf(all.subList(0, Math.min(count, all.size()))));
    }

    /** Explains each code in its document. */
    List<EvidencePage.Entry> explain(Stream<Document> documents, Coder coder) {
        Set<String> ids = codes.stream().map(PredictedCode::document).collect(Collectors.toSet());
        Map<String, String> texts = new HashMap<>();
        documents
                .filter(document -> ids.contains(document.id()))
                .forEach(document -> texts.put(document.id(), document.text()));
        return codes.stream().map(code -> entry(code, texts, coder)).toList();
    }

    private static EvidencePage.Entry entry(PredictedCode code, Map<String, String> texts, Coder coder) {
        String text = texts.get(code.document());
        if (text == null) {
            throw new UserError(
                    "The corpus of the run has no document " + code.document(), "--split", "evaluate the run again");
        }
        return new EvidencePage.Entry(
                code.document() + " · " + (code.correct() ? "correct" : "wrong"),
                text,
                coder.explain(text, code.code()).suggestion());
    }
}
