package org.plant4j.app;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.plant4j.corpus.BadRows;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Document;
import org.plant4j.eval.Predictions;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.Pipeline;
import org.plant4j.explain.WeightedSpan;
import org.plant4j.predict.Coder;
import org.plant4j.predict.RunFolder;
import org.plant4j.predict.Suggestion;

/** The test note that the demo explains, with what the model suggests for it. */
record DemoNote(Document document, List<Suggestion> suggestions) {

    private static final int ENOUGH_RIGHT = 4;

    /** The first note with four codes predicted right, or else the one with the most. */
    static DemoNote choose(Experiment experiment, RunFolder run) {
        List<Predictions.Scored> scored =
                Predictions.read(run.predictions(Pipeline.TEST)).documents();
        String id = scored.stream()
                .filter(each -> right(each) >= ENOUGH_RIGHT)
                .findFirst()
                .or(() -> scored.stream().max(Comparator.comparingLong(DemoNote::right)))
                .orElseThrow()
                .id();
        try (Stream<Document> test =
                        Corpora.open(experiment.corpus(), BadRows.fail()).test().documents();
                Coder coder = Coder.load(run.path())) {
            Document document =
                    test.filter(each -> each.id().equals(id)).findFirst().orElseThrow();
            List<Suggestion> suggestions = coder.code(document.text());
            List<Suggestion> predicted =
                    suggestions.stream().filter(Suggestion::predicted).toList();
            return new DemoNote(document, predicted.isEmpty() ? suggestions.subList(0, 1) : predicted);
        }
    }

    private static long right(Predictions.Scored scored) {
        return scored.predicted().stream().filter(scored.gold()::contains).count();
    }

    boolean isRight(Suggestion suggestion) {
        return document.codes().contains(suggestion.code());
    }

    /** A right code whose marked words agree with what the author of the note meant; else the best code. */
    Suggestion instructive() {
        return suggestions.stream()
                .filter(this::isRight)
                .filter(this::agrees)
                .findFirst()
                .orElse(suggestions.get(0));
    }

    private boolean agrees(Suggestion suggestion) {
        return document.evidence().stream()
                .filter(gold -> gold.code().equals(suggestion.code()))
                .flatMap(gold -> gold.spans().stream())
                .anyMatch(gold -> suggestion.evidence().stream()
                        .limit(1)
                        .map(WeightedSpan::span)
                        .anyMatch(gold::overlaps));
    }

    /** Which codes of the note the model did not find. */
    String missed() {
        List<String> missed = document.codes().stream()
                .filter(code -> suggestions.stream().noneMatch(one -> one.code().equals(code)))
                .toList();
        return missed.isEmpty() ? "Nothing was missed." : "Missed: " + String.join(", ", missed) + ".";
    }
}
