package org.plant4j.metric;

import java.util.Map;

/** The names of the metrics, as they stand in files and tables, and what each means. */
public final class MetricNames {

    public static final String MAP = "MAP";
    public static final String R_PRECISION = "R-precision";
    public static final String EXACT_MATCH = "exact-match";
    public static final String MICRO_PRECISION = "micro-P";
    public static final String MICRO_RECALL = "micro-R";
    public static final String MICRO_F1 = "micro-F1";
    public static final String MACRO_PRECISION = "macro-P";
    public static final String MACRO_RECALL = "macro-R";
    public static final String MACRO_F1 = "macro-F1";
    public static final String MACRO_F1_CAML = "macro-F1-CAML";
    public static final String MACRO_F1_GOLD = "macro-F1-gold";
    public static final String MICRO_AUC = "micro-AUC";
    public static final String MACRO_AUC = "macro-AUC";
    public static final String MICRO_AP = "micro-AP";
    public static final String MACRO_AP = "macro-AP";
    public static final String LABELS = "labels";
    public static final String GOLD_LABELS = "gold-labels";
    public static final String PREDICTED_LABELS = "predicted-labels";
    public static final String GOLD_PER_DOCUMENT = "gold-per-document";
    public static final String PREDICTED_PER_DOCUMENT = "predicted-per-document";

    private static final Map<String, String> DESCRIPTIONS = Map.ofEntries(
            Map.entry(MAP, "mean over documents of Σ(hits/rank)/|gold|, as in the CANTEMIST and CodiEsp tasks"),
            Map.entry(R_PRECISION, "precision among as many codes as the document has gold ones"),
            Map.entry("P", "share of the k best codes that are right, mean over documents"),
            Map.entry("R", "share of the gold codes among the k best, mean over documents"),
            Map.entry("nDCG", "discounted gain of the k best over that of a perfect ranking, mean over documents"),
            Map.entry(
                    "PSP",
                    "propensity-scored precision (A 0.55, B 1.5) over the best attainable: rare codes weigh more"),
            Map.entry(EXACT_MATCH, "share of documents whose predicted codes are exactly the gold ones"),
            Map.entry(MICRO_PRECISION, "share of all predicted codes that are right"),
            Map.entry(MICRO_RECALL, "share of all gold codes that were predicted"),
            Map.entry(MICRO_F1, "harmonic mean of micro-P and micro-R"),
            Map.entry(MACRO_PRECISION, "mean of the codes' precisions, over all codes known or gold"),
            Map.entry(MACRO_RECALL, "mean of the codes' recalls, over all codes known or gold"),
            Map.entry(MACRO_F1, "mean of the codes' F1, over all codes known or gold"),
            Map.entry(MACRO_F1_CAML, "harmonic mean of macro-P and macro-R, as published with CAML"),
            Map.entry(MACRO_F1_GOLD, "mean of the codes' F1, over the codes that occur in these documents"),
            Map.entry(MICRO_AUC, "area under the ROC curve over all (document, known code) pairs"),
            Map.entry(MACRO_AUC, "mean of the codes' areas under the ROC curve, over known codes with both classes"),
            Map.entry(MICRO_AP, "area under the precision-recall curve over all pairs"),
            Map.entry(MACRO_AP, "mean of the codes' areas under the precision-recall curve, over the gold codes"),
            Map.entry(LABELS, "codes known or gold"),
            Map.entry(GOLD_LABELS, "distinct codes in the gold standard"),
            Map.entry(PREDICTED_LABELS, "distinct codes predicted"),
            Map.entry(GOLD_PER_DOCUMENT, "gold codes per document"),
            Map.entry(PREDICTED_PER_DOCUMENT, "predicted codes per document"));

    private MetricNames() {}

    /** One line on what a metric means, "at k" or not; empty for a name that is none. */
    public static String description(String name) {
        int at = name.indexOf('@');
        return DESCRIPTIONS.getOrDefault(at < 0 ? name : name.substring(0, at), "");
    }
}
