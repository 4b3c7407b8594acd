package org.plant4j.corpus.codeset;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A classification: the canonical form of its codes and their hierarchy. */
public enum CodeSystem {
    /** Diagnoses, dot after the third character: {@code N44.8}. */
    ICD_10_CM {
        @Override
        public String canonical(String code) {
            return insertDot(code, 3);
        }
    },

    /**
     * Procedures, seven characters without a dot, shorter if partial: {@code BW03ZZZ}, {@code BW03}. The tables above
     * them, of three characters, end in a hyphen ({@code B03-}), since {@code B03} is a diagnosis.
     */
    ICD_10_PCS {
        @Override
        public String canonical(String code) {
            String canonical = super.canonical(code);
            return canonical.length() == TABLE_LENGTH ? canonical + '-' : canonical;
        }

        @Override
        public Optional<String> parent(String code) {
            if (code.length() <= TABLE_LENGTH || code.endsWith("-")) {
                return Optional.empty();
            }
            return Optional.of(canonical(code.substring(0, code.length() - 1)));
        }
    },

    /** Diagnoses, dot after the third character, in E codes (causes of injury) after the fourth: {@code 428.0}, {@code E823.3}. */
    ICD_9_CM {
        @Override
        public String canonical(String code) {
            return insertDot(code, code.strip().toUpperCase(Locale.ROOT).startsWith("E") ? 4 : 3);
        }
    },

    /** Procedures of ICD-9-CM, dot after the second digit: {@code 38.93}. */
    ICD_9_PROCEDURE {
        @Override
        public String canonical(String code) {
            return insertDot(code, 2);
        }
    },

    /**
     * Tumour morphology: cell type, behaviour, an optional grade, and CANTEMIST's suffix {@code /H} for codes that are
     * not in the official list: {@code 8140/3}, {@code 8140/34}, {@code 8000/6/H}.
     */
    ICD_O_3 {
        @Override
        public Optional<String> parent(String code) {
            if (code.endsWith("/H")) {
                return Optional.of(code.substring(0, code.length() - 2));
            }
            int slash = code.indexOf('/');
            if (slash < 0) {
                return Optional.empty();
            }
            int behaviourEnd = slash + 2;
            return Optional.of(code.substring(0, code.length() > behaviourEnd ? behaviourEnd : slash));
        }
    };

    /** Longer than any code of these systems; a text of n characters would have n ancestors. */
    private static final int MAX_LENGTH = 100;

    /** The number of characters that identify a table of ICD-10-PCS. */
    private static final int TABLE_LENGTH = 3;

    /** The canonical form of a code: upper case, with its dot. */
    public String canonical(String code) {
        return code.strip().toUpperCase(Locale.ROOT);
    }

    /** The parent by the form of the code alone; it need not exist in a code list. */
    public Optional<String> parent(String code) {
        int dot = code.indexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        int end = code.length() - 1;
        return Optional.of(code.substring(0, end <= dot + 1 ? dot : end));
    }

    /** The ancestors of a code, nearest first; none for a text that is too long to be a code. */
    public final List<String> ancestors(String code) {
        if (code.length() > MAX_LENGTH) {
            return List.of();
        }
        List<String> ancestors = new ArrayList<>();
        for (Optional<String> next = parent(code); next.isPresent(); next = parent(next.get())) {
            ancestors.add(next.get());
        }
        return List.copyOf(ancestors);
    }

    /**
     * Guesses the system of a canonical code, for its ancestors: a slash means morphology, a dot or a bare category ICD-9
     * or ICD-10, anything else procedures. V and E codes of ICD-9 count as ICD-10, which has the same hierarchy rule.
     */
    public static CodeSystem of(String code) {
        if (code.isEmpty() || code.indexOf('/') >= 0) {
            return ICD_O_3;
        }
        int category = code.indexOf('.') < 0 ? code.length() : code.indexOf('.');
        if (category > 4 || (category == 4 && code.indexOf('.') < 0 && !code.startsWith("E"))) {
            return ICD_10_PCS;
        }
        if (category == 2) {
            return ICD_9_PROCEDURE;
        }
        return Character.isDigit(code.charAt(0)) ? ICD_9_CM : ICD_10_CM;
    }

    /** The category of each code, the topmost ancestor by the form of the code, numbered in order of appearance. */
    public static int[] categories(List<String> codes) {
        Map<String, Integer> numbers = new HashMap<>();
        return codes.stream()
                .mapToInt(code -> {
                    List<String> ancestors = of(code).ancestors(code);
                    String category = ancestors.isEmpty() ? code : ancestors.get(ancestors.size() - 1);
                    int next = numbers.size();
                    return numbers.computeIfAbsent(category, unknown -> next);
                })
                .toArray();
    }

    private static String insertDot(String code, int position) {
        String compact = code.strip().toUpperCase(Locale.ROOT).replace(".", "");
        return compact.length() > position
                ? compact.substring(0, position) + '.' + compact.substring(position)
                : compact;
    }
}
