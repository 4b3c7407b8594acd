package org.plant4j.corpus.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.plant4j.corpus.sample.MadeUpCodes.Code;

/**
 * Draws the codes and the text of an admission. Code frequencies follow a Zipf-Mandelbrot law close to that of MIMIC-III: with
 * its size and seed 1 the most frequent code belongs to 30 % of the admissions, and 5,001 of 8,929 codes belong to fewer than ten
 * (in MIMIC-III 5,411).
 */
final class AdmissionSampler {

    private static final double SHIFT = 21;
    private static final double EXPONENT = 1.496;
    private static final double MEDIAN_CODES = 14;
    private static final double CODE_DEVIATION = 0.53; // quartiles 10 and 20
    private static final double MEDIAN_WORDS = 1375;
    private static final double WORD_DEVIATION = 0.5; // quartiles 965 and 1,900

    /** How often a code of an admission is the neighbour of another one, so that codes occur together. */
    private static final double RELATED = 0.3;

    private static final double MENTIONED = 0.9;
    private static final double OWN_WORD = 0.7;
    private static final int FILLERS = 30_000;
    private static final List<String> SECTIONS = List.of(
            "CHIEF COMPLAINT",
            "HISTORY OF PRESENT ILLNESS",
            "PAST MEDICAL HISTORY",
            "MEDICATIONS ON ADMISSION",
            "PHYSICAL EXAM",
            "PERTINENT RESULTS",
            "BRIEF HOSPITAL COURSE",
            "DISCHARGE MEDICATIONS",
            "DISCHARGE DIAGNOSIS");

    private final List<Code> codes;
    private final int admissions;
    private final double[] cumulative; // of the frequencies of codes
    private final String[] fillers;
    private final double[] fillerCumulative;

    AdmissionSampler(List<Code> codes, int admissions, PseudoWords words) {
        this.codes = codes;
        this.admissions = admissions;
        cumulative = cumulative(codes.size(), SHIFT, EXPONENT);
        fillers = new String[FILLERS];
        Arrays.setAll(fillers, i -> words.next(i < 300 ? 1 : 2));
        fillerCumulative = cumulative(FILLERS, 10, 1.1);
    }

    private static double[] cumulative(int count, double shift, double exponent) {
        double[] sums = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Math.pow(i + 1 + shift, -exponent);
            sums[i] = sum;
        }
        return sums;
    }

    private static int draw(double[] cumulative, SplittableRandom random) {
        int found = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[cumulative.length - 1]);
        return Math.min(cumulative.length - 1, found < 0 ? -found - 1 : found);
    }

    /** The codes of an admission. A code is the more frequent, the earlier it is in the list, and each occurs at least once. */
    List<Code> codes(int admission, SplittableRandom random) {
        int count =
                (int) Math.min(codes.size(), Math.max(1, Math.round(logNormal(MEDIAN_CODES, CODE_DEVIATION, random))));
        Set<Integer> chosen = new LinkedHashSet<>();
        for (int code = admission; code < codes.size(); code += admissions) {
            chosen.add(code); // so that none is missing
        }
        int last = 0;
        for (int tries = 0; chosen.size() < count && tries < 20 * count; tries++) {
            boolean related = !chosen.isEmpty() && random.nextDouble() < RELATED;
            last = related ? (last * 31 + 7 + random.nextInt(3)) % codes.size() : draw(cumulative, random);
            if (!related || last < codes.size() / 20) {
                chosen.add(last);
            }
        }
        return chosen.stream().map(codes::get).toList();
    }

    private static double logNormal(double median, double deviation, SplittableRandom random) {
        return median * Math.exp(deviation * gaussian(random));
    }

    /** The sum of twelve uniform numbers less 6 has mean 0 and variance 1. */
    private static double gaussian(SplittableRandom random) {
        double sum = -6;
        for (int i = 0; i < 12; i++) {
            sum += random.nextDouble();
        }
        return sum;
    }

    /** A discharge summary that mentions most of the codes among meaningless words. */
    String text(List<Code> own, SplittableRandom random) {
        int words = (int) Math.max(60, logNormal(MEDIAN_WORDS, WORD_DEVIATION, random));
        List<String> mentions = new ArrayList<>();
        for (Code code : own) {
            for (int i = random.nextInt(3); i >= 0 && random.nextDouble() < MENTIONED; i--) {
                mentions.add(random.nextDouble() < OWN_WORD ? code.category() + " " + code.own() : code.category());
            }
        }
        double mentionRate = (double) mentions.size() / words;
        StringBuilder text = new StringBuilder("Admission Date:  [**2150-1-1**]\n");
        int next = 0;
        for (int i = 0; i < words; i++) {
            if (i % Math.max(1, words / SECTIONS.size()) == 0) {
                text.append("\n").append(SECTIONS.get(Math.min(i * SECTIONS.size() / words, SECTIONS.size() - 1)));
                text.append(":\n");
            }
            boolean mention = next < mentions.size() && random.nextDouble() < 1.3 * mentionRate;
            text.append(mention ? mentions.get(next++) : fillers[draw(fillerCumulative, random)]);
            text.append(random.nextInt(12) == 0 ? ".\n" : " ");
        }
        while (next < mentions.size()) {
            text.append(mentions.get(next++)).append(".\n");
        }
        return text.toString();
    }
}
