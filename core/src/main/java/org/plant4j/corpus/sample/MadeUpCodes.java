package org.plant4j.corpus.sample;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Codes in the form of ICD-9-CM with made-up titles. Codes of a category share a word of their titles, and each has a word of
 * its own, so that notes can mention both. About 23 in 100 are procedures, as in MIMIC-III.
 */
final class MadeUpCodes {

    private static final double PROCEDURES = 0.225;
    private static final double CODES_PER_DIAGNOSIS_CATEGORY = 6.5;
    private static final int PROCEDURE_CATEGORIES = 100;
    private static final List<String> MODIFIERS =
            List.of("acute", "chronic", "unspecified", "recurrent", "bilateral", "secondary", "primary", "other");

    /** A code without its dot, as MIMIC-III writes it. */
    record Code(boolean procedure, String code, String category, String own, String modifier) {

        String title() {
            return modifier + " " + category + " " + own;
        }
    }

    private final SplittableRandom random;
    private final PseudoWords words;
    private final Set<String> used = new HashSet<>();

    private MadeUpCodes(SplittableRandom random, PseudoWords words) {
        this.random = random;
        this.words = words;
    }

    /** Codes in random order. */
    static List<Code> generate(int count, SplittableRandom random, PseudoWords words) {
        return new MadeUpCodes(random, words).generate(count);
    }

    private List<Code> generate(int count) {
        int procedures = (int) Math.round(PROCEDURES * count);
        List<Code> codes = new ArrayList<>();
        addCodes(codes, procedures, true, Math.max(1, Math.min(PROCEDURE_CATEGORIES, procedures / 4)));
        addCodes(codes, count, false, (int) Math.ceil((count - procedures) / CODES_PER_DIAGNOSIS_CATEGORY));
        for (int i = codes.size() - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            codes.set(i, codes.set(other, codes.get(i)));
        }
        return codes;
    }

    private void addCodes(List<Code> codes, int total, boolean procedure, int categories) {
        List<String> stems = new ArrayList<>();
        List<String> names = new ArrayList<>();
        while (stems.size() < categories) {
            String stem = procedure ? digits(2) : diagnosisStem();
            if (used.add((procedure ? "p" : "") + stem + "-")) {
                stems.add(stem);
                names.add(words.next(3));
            }
        }
        while (codes.size() < total) {
            int category = random.nextInt(categories);
            String code = stems.get(category) + digits(random.nextInt(4) == 0 ? 1 : 2);
            if (used.add((procedure ? "p" : "") + code)) {
                String modifier = MODIFIERS.get(random.nextInt(MODIFIERS.size()));
                codes.add(new Code(procedure, code, names.get(category), words.next(3), modifier));
            }
        }
    }

    /** Three digits, or V and two digits, or E and three digits. */
    private String diagnosisStem() {
        return switch (random.nextInt(20)) {
            case 0 -> "V" + digits(2);
            case 1 -> "E" + digits(3);
            default -> digits(3);
        };
    }

    private String digits(int count) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < count; i++) {
            digits.append(random.nextInt(10));
        }
        return digits.toString();
    }
}
