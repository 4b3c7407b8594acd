package org.plant4j.inspection;

import java.util.Locale;
import java.util.function.BooleanSupplier;

/** The packaged model that suits a corpus, with the reason in one sentence. */
public record ModelAdvice(String model, String reason) {

    private static final int MIN_DOCUMENTS = 100;

    /** From here on, a label tree scores like one linear model per label and trains much faster. */
    private static final int MANY_LABELS = 5000;

    /** With many labels of fewer documents each, PLANT scores below linear models; see docs/results.md. */
    private static final double MIN_DOCUMENTS_PER_LABEL = 10;

    /** Up to here, description matching can use ridge regression. */
    private static final int MAX_RIDGE_DOCUMENTS = 20_000;

    private static final double MIN_EVIDENCE = 0.5;

    /** Rough throughput of PLANT's training on two cores, in tokens per second with few labels. */
    private static final double TOKENS_PER_SECOND = 8000;

    private static final double LABELS_OF_DOUBLE_TIME = 2000;
    private static final int EPOCHS = 10;
    private static final double GPU_SPEEDUP = 30;

    /**
     * What training can use.
     *
     * @param descriptions whether a code set describes the labels
     * @param encoder whether a pretrained encoder has been imported
     * @param gpu asked only if it changes the choice, since it loads libtorch
     * @param minutes how long training may take
     */
    public record Means(boolean descriptions, boolean encoder, BooleanSupplier gpu, double minutes) {}

    public static ModelAdvice choose(CorpusFacts facts, Means means) {
        if (facts.documents() < MIN_DOCUMENTS) {
            return new ModelAdvice(
                    "linear",
                    "with " + facts.documents() + " training documents there is too little data"
                            + " for a neural network");
        }
        if (facts.labels() > MANY_LABELS && facts.documentsPerLabel() < MIN_DOCUMENTS_PER_LABEL) {
            boolean matching = means.descriptions() && facts.documents() <= MAX_RIDGE_DOCUMENTS;
            return new ModelAdvice(
                    matching ? "description-matching" : "label-tree",
                    String.format(
                            Locale.ROOT,
                            "there are %,d labels with %.1f training documents each on average%s",
                            facts.labels(),
                            facts.documentsPerLabel(),
                            matching ? ", and they have descriptions" : ""));
        }
        boolean evidence = facts.evidence() >= MIN_EVIDENCE;
        boolean pretrained =
                means.descriptions() && means.encoder() && means.gpu().getAsBoolean();
        if (evidence && !pretrained && facts.documents() <= MAX_RIDGE_DOCUMENTS) {
            return new ModelAdvice(
                    "mention-matching",
                    String.format(Locale.ROOT, "%.0f %% of the documents have gold evidence", 100 * facts.evidence()));
        }
        boolean slow = minutes(facts, false) > means.minutes();
        if (slow && (!means.gpu().getAsBoolean() || minutes(facts, true) > means.minutes())) {
            return new ModelAdvice(
                    facts.labels() > MANY_LABELS ? "label-tree" : "linear",
                    String.format(
                            Locale.ROOT,
                            "PLANT would take about %,.0f min, more than the budget of %.0f min",
                            minutes(facts, means.gpu().getAsBoolean()),
                            means.minutes()));
        }
        if (pretrained) {
            return new ModelAdvice(
                    evidence ? "description-attention-evidence" : "plant-descriptions",
                    "the codes have descriptions, and there is a pretrained encoder and a GPU"
                            + (evidence ? "; documents have gold evidence" : ""));
        }
        if (evidence) {
            return new ModelAdvice(
                    "plant-evidence",
                    String.format(Locale.ROOT, "%.0f %% of the documents have gold evidence", 100 * facts.evidence()));
        }
        return new ModelAdvice(
                "plant",
                String.format(
                        Locale.ROOT,
                        "%,d documents are enough for PLANT, which needs about %.0f min on %s",
                        facts.documents(),
                        Math.max(1, minutes(facts, slow)),
                        slow ? "a GPU" : "two cores"));
    }

    /** A rough estimate of the minutes that PLANT trains. */
    static double minutes(CorpusFacts facts, boolean gpu) {
        double tokens = facts.documents() * facts.tokens() * EPOCHS;
        double seconds = tokens * (1 + facts.labels() / LABELS_OF_DOUBLE_TIME) / TOKENS_PER_SECOND;
        return seconds / 60 / (gpu ? GPU_SPEEDUP : 1);
    }
}
