package org.plant4j;

import java.util.Map;
import java.util.Set;

/** The names of the metrics in files and tables, with descriptions. */
public final class MetricNames {

    /** Mean average precision: Σ(hits/rank)/|gold|, mean over documents. */
    public static final String MAP = "MAP";
    /** Precision at k = number of gold labels, mean over documents. */
    public static final String R_PRECISION = "R-precision";
    /** Fraction of documents whose predicted labels equal the gold labels. */
    public static final String EXACT_MATCH = "exact-match";
    /** Fraction of all predicted labels that are gold. */
    public static final String MICRO_PRECISION = "micro-P";
    /** Fraction of all gold labels that are predicted. */
    public static final String MICRO_RECALL = "micro-R";
    /** Harmonic mean of micro-P and micro-R. */
    public static final String MICRO_F1 = "micro-F1";
    /** Mean precision per label, over training, gold and predicted labels. */
    public static final String MACRO_PRECISION = "macro-P";
    /** Mean recall per label, over training, gold and predicted labels. */
    public static final String MACRO_RECALL = "macro-R";
    /** Mean F1 per label, over training, gold and predicted labels. */
    public static final String MACRO_F1 = "macro-F1";
    /** Harmonic mean of macro-P and macro-R, as in the CAML paper. */
    public static final String MACRO_F1_CAML = "macro-F1-CAML";
    /** Mean F1 per label, over the gold labels of these documents. */
    public static final String MACRO_F1_GOLD = "macro-F1-gold";
    /** Area under the ROC curve over all (document, label) pairs. */
    public static final String MICRO_AUC = "micro-AUC";
    /** Mean area under the ROC curve per label, over labels with both classes. */
    public static final String MACRO_AUC = "macro-AUC";
    /** Area under the precision-recall curve over all (document, label) pairs. */
    public static final String MICRO_AP = "micro-AP";
    /** Mean area under the precision-recall curve per label, over gold labels. */
    public static final String MACRO_AP = "macro-AP";
    /** Number of training, gold and predicted labels. */
    public static final String LABELS = "labels";
    /** Number of distinct gold labels. */
    public static final String GOLD_LABELS = "gold-labels";
    /** Number of distinct predicted labels. */
    public static final String PREDICTED_LABELS = "predicted-labels";
    /** Gold labels per document. */
    public static final String GOLD_PER_DOCUMENT = "gold-per-document";
    /** Predicted labels per document. */
    public static final String PREDICTED_PER_DOCUMENT = "predicted-per-document";

    private static final Map<String, String> DESCRIPTIONS = Map.ofEntries(
            Map.entry(MAP, "mean average precision: Σ(hits/rank)/|gold|, mean over documents"),
            Map.entry(R_PRECISION, "precision at k = number of gold labels, mean over documents"),
            Map.entry("P", "fraction of the top k labels that are gold, mean over documents"),
            Map.entry("R", "fraction of the gold labels in the top k, mean over documents"),
            Map.entry("nDCG", "normalized discounted cumulative gain of the top k, mean over documents"),
            Map.entry("PSP", "propensity-scored precision (A = 0.55, B = 1.5): rare labels weigh more"),
            Map.entry(EXACT_MATCH, "fraction of documents whose predicted labels equal the gold labels"),
            Map.entry(MICRO_PRECISION, "fraction of all predicted labels that are gold"),
            Map.entry(MICRO_RECALL, "fraction of all gold labels that are predicted"),
            Map.entry(MICRO_F1, "harmonic mean of micro-P and micro-R"),
            Map.entry(MACRO_PRECISION, "mean precision per label, over training, gold and predicted labels"),
            Map.entry(MACRO_RECALL, "mean recall per label, over training, gold and predicted labels"),
            Map.entry(MACRO_F1, "mean F1 per label, over training, gold and predicted labels"),
            Map.entry(MACRO_F1_CAML, "harmonic mean of macro-P and macro-R, as in the CAML paper"),
            Map.entry(MACRO_F1_GOLD, "mean F1 per label, over the gold labels of these documents"),
            Map.entry(MICRO_AUC, "area under the ROC curve over all (document, label) pairs"),
            Map.entry(MACRO_AUC, "mean area under the ROC curve per label, over labels with both classes"),
            Map.entry(MICRO_AP, "area under the precision-recall curve over all (document, label) pairs"),
            Map.entry(MACRO_AP, "mean area under the precision-recall curve per label, over gold labels"),
            Map.entry(LABELS, "number of training, gold and predicted labels"),
            Map.entry(GOLD_LABELS, "number of distinct gold labels"),
            Map.entry(PREDICTED_LABELS, "number of distinct predicted labels"),
            Map.entry(GOLD_PER_DOCUMENT, "gold labels per document"),
            Map.entry(PREDICTED_PER_DOCUMENT, "predicted labels per document"));

    private static final Set<String> COUNTS =
            Set.of(LABELS, GOLD_LABELS, PREDICTED_LABELS, GOLD_PER_DOCUMENT, PREDICTED_PER_DOCUMENT);

    private MetricNames() {}

    /**
     * A one-line description of a metric, with or without "@k"; empty for unknown names.
     *
     * @param name the name of a metric
     * @return the description
     */
    public static String description(String name) {
        int at = name.indexOf('@');
        return DESCRIPTIONS.getOrDefault(at < 0 ? name : name.substring(0, at), "");
    }

    /**
     * Whether a metric is a count. All other metrics are fractions: files store them as such, tables show percent.
     *
     * @param name the name of a metric
     * @return true for counts
     */
    public static boolean isCount(String name) {
        return COUNTS.contains(name);
    }
}
