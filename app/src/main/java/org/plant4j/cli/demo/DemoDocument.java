package org.plant4j.cli.demo;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.plant4j.Coder;
import org.plant4j.Document;
import org.plant4j.Evidence;
import org.plant4j.Suggestion;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Predictions;
import org.plant4j.text.PreparedCorpus;

/** The test document that the demo explains, and its suggestions. */
record DemoDocument(Document document, List<Suggestion> suggestions) {

    private static final int ENOUGH_CORRECT = 4;

    /** The first document with four correctly predicted codes, or else the one with the most. */
    static DemoDocument choose(Experiment experiment, RunDirectory run) {
        List<Predictions.ScoredDocument> scored =
                Predictions.read(run.predictions(PreparedCorpus.TEST)).documents();
        String id = scored.stream()
                .filter(each -> countCorrect(each) >= ENOUGH_CORRECT)
                .findFirst()
                .or(() -> scored.stream().max(Comparator.comparingLong(DemoDocument::countCorrect)))
                .orElseThrow()
                .id();
        try (Stream<Document> test = CorpusFormats.openSplits(experiment.corpus(), BadRowHandler.fail())
                        .test()
                        .documents();
                Coder coder = Coder.load(run.path())) {
            Document document =
                    test.filter(each -> each.id().equals(id)).findFirst().orElseThrow();
            List<Suggestion> suggestions = coder.code(document.text()).suggestions();
            List<Suggestion> predicted =
                    suggestions.stream().filter(Suggestion::predicted).toList();
            return new DemoDocument(document, predicted.isEmpty() ? suggestions.subList(0, 1) : predicted);
        }
    }

    private static long countCorrect(Predictions.ScoredDocument scored) {
        return scored.predicted().stream().filter(scored.gold()::contains).count();
    }

    boolean isCorrect(Suggestion suggestion) {
        return document.codes().contains(suggestion.code());
    }

    /** The best correct code whose evidence overlaps the gold evidence, or else the best code. */
    Suggestion mostInstructive() {
        return suggestions.stream()
                .filter(this::isCorrect)
                .filter(this::matchesGoldEvidence)
                .findFirst()
                .orElse(suggestions.get(0));
    }

    private boolean matchesGoldEvidence(Suggestion suggestion) {
        return document.evidence().stream()
                .filter(gold -> gold.code().equals(suggestion.code()))
                .flatMap(gold -> gold.spans().stream())
                .anyMatch(gold -> suggestion.evidence().stream()
                        .limit(1)
                        .map(Evidence::span)
                        .anyMatch(gold::overlaps));
    }

    /** A sentence that lists the gold codes that were not suggested. */
    String missed() {
        List<String> missed = document.codes().stream()
                .filter(code -> suggestions.stream().noneMatch(one -> one.code().equals(code)))
                .toList();
        return missed.isEmpty() ? "No codes were missed." : "Missed: " + String.join(", ", missed) + ".";
    }
}
