package org.plant4j.study.measurement;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.pipeline.evaluation.ShortlistPositions;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.Vocabulary;

/** How often predictions by shortlist are those of full scoring. */
public final class ShortlistAgreement {

    private ShortlistAgreement() {}

    /**
     * The agreement for one size of the shortlist.
     *
     * @param documents documents with at least one known gold label
     * @param equal share of the documents whose best labels are all listed
     * @param listed share of all best labels that are listed
     * @param goldListed share of the gold labels that are listed
     */
    public record Result(String run, int size, int documents, double equal, double listed, double goldListed) {}

    /**
     * Measures a run on a split of the corpus it was trained on, for the {@code best} labels per document.
     *
     * @param sizes of shortlists; if empty, the smallest size with each of the agreements
     */
    public static List<Result> measure(
            RunDirectory run,
            Compute compute,
            String split,
            List<Integer> sizes,
            List<Double> agreements,
            int best,
            Progress progress) {
        Vocabulary vocabulary = Vocabulary.read(run.vocabulary());
        LabelIndex labels = LabelIndex.read(run.labels());
        try (Tokenizer tokenizer = run.openTokenizer();
                Model model = scoringAll(run).load(run.path(), vocabulary.size(), labels, compute)) {
            LabelNetwork<?> network = (LabelNetwork<?>) model;
            Set<String> known = new HashSet<>(labels.codes().subList(0, labels.size()));
            List<AnnotatedDocuments.AnnotatedDocument> documents = AnnotatedDocuments.read(
                            ExperimentFile.read(run.experiment(), List.of()), split, known, tokenizer)
                    .documents();
            if (documents.isEmpty()) {
                throw new UserError(
                        "No document of " + split + " has a known gold label",
                        run.path().toString(),
                        "use a split with gold labels");
            }
            List<int[]> tokens = documents.stream()
                    .map(document -> vocabulary.ids(document.tokens()))
                    .toList();
            List<int[]> gold = documents.stream()
                    .map(document -> labels.ids(document.codes()).toArray())
                    .toList();
            List<int[]> top = ShortlistPositions.bestLabels(network, tokens, best, progress);
            ShortlistPositions ofTop = ShortlistPositions.of(network, tokens, top, progress);
            ShortlistPositions ofGold = ShortlistPositions.of(network, tokens, gold, progress);
            return (sizes.isEmpty() ? agreements.stream().map(ofTop::size).toList() : sizes)
                    .stream()
                            .map(size -> new Result(
                                    run.name(),
                                    size,
                                    ofTop.documents(),
                                    ofTop.agreement(size),
                                    ofTop.listed(size),
                                    ofGold.listed(size)))
                            .toList();
        }
    }

    private static ModelConfig scoringAll(RunDirectory run) {
        return run.modelConfig()
                .withShortlist(0)
                .orElseThrow(() -> new UserError(
                        "The model has no shortlists: it always scores all labels",
                        run.path().toString(),
                        "give a run of PLANT"));
    }
}
