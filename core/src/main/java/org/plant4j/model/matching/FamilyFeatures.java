package org.plant4j.model.matching;

import java.util.Arrays;
import java.util.Map;

/** Features of a label by how strongly the labels of its {@link CodeFamilies} are mentioned in a document. */
final class FamilyFeatures {

    private static final int PER_KIND = 5;
    static final int SIZE = PER_KIND * CodeFamilies.KINDS;

    private static final double LEAST = 0.05; // added to sums, so that little strength has no large share
    private static final int NONE = -1;

    private final CodeFamilies families;
    private final Map<Integer, Double> strengths; // by label
    private final double[][] sum = new double[CodeFamilies.KINDS][]; // by kind and family
    private final double[][] highest = new double[CodeFamilies.KINDS][];
    private final double[][] second = new double[CodeFamilies.KINDS][];
    private final int[][] strongest = new int[CodeFamilies.KINDS][];

    FamilyFeatures(CodeFamilies families, Map<Integer, Double> strengths) {
        this.families = families;
        this.strengths = strengths;
        for (int kind = 0; kind < CodeFamilies.KINDS; kind++) {
            sum[kind] = new double[families.count(kind)];
            highest[kind] = new double[families.count(kind)];
            second[kind] = new double[families.count(kind)];
            strongest[kind] = new int[families.count(kind)];
            Arrays.fill(strongest[kind], NONE);
        }
        strengths.forEach(this::add);
    }

    private void add(int label, double strength) {
        for (int kind = 0; kind < CodeFamilies.KINDS; kind++) {
            int family = families.family(kind, label);
            sum[kind][family] += strength;
            if (strength > highest[kind][family]) {
                second[kind][family] = highest[kind][family];
                highest[kind][family] = strength;
                strongest[kind][family] = label;
            } else {
                second[kind][family] = Math.max(second[kind][family], strength);
            }
        }
    }

    /** The highest strength of a label's family. */
    double highest(int kind, int label) {
        return highest[kind][families.family(kind, label)];
    }

    void write(int label, float[] features, int from) {
        double own = strengths.getOrDefault(label, 0.0);
        for (int kind = 0; kind < CodeFamilies.KINDS; kind++) {
            int family = families.family(kind, label);
            boolean isStrongest = strongest[kind][family] == label;
            int at = from + kind * PER_KIND;
            features[at] = (float) highest[kind][family];
            features[at + 1] = (float) (isStrongest ? second[kind][family] : highest[kind][family]);
            features[at + 2] = (float) (own / (sum[kind][family] + LEAST));
            features[at + 3] = isStrongest ? 1 : 0;
            features[at + 4] = (float) (sum[kind][family] - own);
        }
    }
}
