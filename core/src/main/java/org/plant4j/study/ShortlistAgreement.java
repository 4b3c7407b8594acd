package org.plant4j.study;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.TopK;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.Model;
import org.plant4j.model.Shortlist;
import org.plant4j.support.Progress;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.Vocabulary;

/**
 * How often a shortlist holds all of the best labels of full scoring. Listed labels have the same scores as in full scoring,
 * so the best labels are then the same, in the same order.
 */
public final class ShortlistAgreement {

    /** Documents scored at a time, which bounds the memory of their scores. */
    private static final int DOCUMENTS = 32;

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

    /** Measures a run on a split of the corpus it was trained on, for each size and the {@code best} labels per document. */
    public static List<Result> measure(
            RunDirectory run, Compute compute, String split, List<Integer> sizes, int best, Progress progress) {
        Vocabulary vocabulary = Vocabulary.read(run.vocabulary());
        LabelIndex labels = LabelIndex.read(run.labels());
        try (Tokenizer tokenizer = run.openTokenizer();
                Model model =
                        run.modelConfig().withoutShortlist().load(run.path(), vocabulary.size(), labels, compute)) {
            Shortlist shortlist = shortlist(model, run);
            Set<String> known = new HashSet<>(labels.codes().subList(0, labels.size()));
            List<AnnotatedDocuments.AnnotatedDocument> documents = AnnotatedDocuments.read(
                            ExperimentFile.read(run.experiment(), List.of()), split, known, tokenizer)
                    .documents();
            List<int[]> tokens = documents.stream()
                    .map(document -> vocabulary.ids(document.tokens()))
                    .toList();
            List<int[]> gold = documents.stream()
                    .map(document -> labels.ids(document.codes()).toArray())
                    .toList();
            List<int[]> top = bestLabels(model, tokens, best, progress);
            return sizes.stream()
                    .map(size -> result(run.name(), shortlist, size, tokens, top, gold))
                    .toList();
        }
    }

    private static Shortlist shortlist(Model model, RunDirectory run) {
        if (model instanceof LabelNetwork<?> network && network.shortlist().isPresent()) {
            return network.shortlist().get();
        }
        throw new UserError(
                "The model proposes no shortlist of labels",
                run.path().toString(),
                "use PLANT with model.static: true");
    }

    private static List<int[]> bestLabels(Model model, List<int[]> documents, int best, Progress progress) {
        try (Progress.Task task = progress.start("full scoring", documents.size())) {
            return IntStream.iterate(0, start -> start < documents.size(), start -> start + DOCUMENTS)
                    .mapToObj(start -> documents.subList(start, Math.min(documents.size(), start + DOCUMENTS)))
                    .flatMap(some -> {
                        float[][] scores = model.score(some);
                        task.advance(some.size());
                        return Arrays.stream(scores).map(row -> TopK.indices(row, best));
                    })
                    .toList();
        }
    }

    static Result result(
            String run, Shortlist shortlist, int size, List<int[]> documents, List<int[]> top, List<int[]> gold) {
        int equal = 0;
        long bestListed = 0;
        long bestCount = 0;
        long goldListed = 0;
        long goldCount = 0;
        for (int i = 0; i < documents.size(); i++) {
            int[] listed = shortlist.labels(documents.get(i), size);
            long found = count(top.get(i), listed);
            equal += found == top.get(i).length ? 1 : 0;
            bestListed += found;
            bestCount += top.get(i).length;
            goldListed += count(gold.get(i), listed);
            goldCount += gold.get(i).length;
        }
        return new Result(
                run,
                size,
                documents.size(),
                (double) equal / documents.size(),
                (double) bestListed / bestCount,
                (double) goldListed / goldCount);
    }

    private static long count(int[] labels, int[] listed) {
        return Arrays.stream(labels)
                .filter(label -> Arrays.binarySearch(listed, label) >= 0)
                .count();
    }
}
