package org.plant4j.corpus.codeset;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A classification: how its codes are written, and which code stands above which. */
public enum CodeSystem {
    /** Diagnoses, dot after the third character: {@code N44.8}. */
    ICD_10_CM {
        @Override
        public String canonical(String written) {
            return dotted(written, 3);
        }
    },

    /**
     * Procedures, seven characters without a dot, shorter where partial: {@code BW03ZZZ}, {@code BW03}. The tables above
     * them, of three characters, end in a hyphen ({@code B03-}), for {@code B03} alone is a diagnosis.
     */
    ICD_10_PCS {
        @Override
        public String canonical(String written) {
            String code = super.canonical(written);
            return code.length() == TABLE ? code + '-' : code;
        }

        @Override
        public Optional<String> parent(String code) {
            if (code.length() <= TABLE || code.endsWith("-")) {
                return Optional.empty();
            }
            return Optional.of(canonical(code.substring(0, code.length() - 1)));
        }
    },

    /** Diagnoses, dot after the third character, in causes of injury after the fourth: {@code 428.0}, {@code E823.3}. */
    ICD_9_CM {
        @Override
        public String canonical(String written) {
            return dotted(written, written.strip().toUpperCase(Locale.ROOT).startsWith("E") ? 4 : 3);
        }
    },

    /** Procedures of ICD-9-CM, dot after the second digit: {@code 38.93}. */
    ICD_9_PROCEDURE {
        @Override
        public String canonical(String written) {
            return dotted(written, 2);
        }
    },

    /**
     * Tumour morphology: cell type, behaviour, an optional grade, and {@code /H} where CANTEMIST marks a code not in the
     * official list: {@code 8140/3}, {@code 8140/34}, {@code 8000/6/H}.
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

    /** Characters of the tables by which ICD-10-PCS is published. */
    private static final int TABLE = 3;

    /** The one form in which the code is held: upper case, with its dot. */
    public String canonical(String written) {
        return written.strip().toUpperCase(Locale.ROOT);
    }

    /** The code above, by its form alone; it need not be in any list. */
    public Optional<String> parent(String code) {
        int dot = code.indexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        int end = code.length() - 1;
        return Optional.of(code.substring(0, end <= dot + 1 ? dot : end));
    }

    /** The codes above, nearest first. */
    public final List<String> ancestors(String code) {
        List<String> above = new ArrayList<>();
        for (Optional<String> next = parent(code); next.isPresent(); next = parent(next.get())) {
            above.add(next.get());
        }
        return List.copyOf(above);
    }

    /**
     * The system whose ancestor rule fits a canonical code: a slash means morphology, a dot or a bare category ICD-9 or
     * ICD-10, the rest procedures. ICD-9's V and E codes pass for ICD-10, whose rule is the same.
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

    private static String dotted(String written, int category) {
        String code = written.strip().toUpperCase(Locale.ROOT).replace(".", "");
        return code.length() > category ? code.substring(0, category) + '.' + code.substring(category) : code;
    }
}
