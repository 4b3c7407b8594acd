package org.plant4j.model.matching;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Groups codes that belong together by how they are written: codes with the same part before a slash (8500 of 8500/3) or the
 * same first four characters, codes with the same first three characters, and codes with the same rest (/3).
 */
final class CodeFamilies {

    /** Kinds of families, each of which divides all codes. */
    static final int KINDS = 3;

    static final int STEM = 0;
    static final int CATEGORY = 1;
    static final int REST = 2;

    private static final int CATEGORY_LENGTH = 3;
    private static final int STEM_LENGTH = 4;

    private final int[][] byLabel = new int[KINDS][]; // family of each label, by kind
    private final int[] counts = new int[KINDS];

    CodeFamilies(List<String> codes) {
        for (int kind = 0; kind < KINDS; kind++) {
            Map<String, Integer> ids = new HashMap<>();
            byLabel[kind] = new int[codes.size()];
            for (int label = 0; label < codes.size(); label++) {
                byLabel[kind][label] = ids.computeIfAbsent(key(codes.get(label), kind), next -> ids.size());
            }
            counts[kind] = ids.size();
        }
    }

    static String key(String code, int kind) {
        String characters = code.replace(".", "");
        int slash = characters.indexOf('/');
        int end = slash > 0 ? slash : Math.min(STEM_LENGTH, characters.length());
        return switch (kind) {
            case STEM -> characters.substring(0, end);
            case CATEGORY -> characters.substring(0, Math.min(CATEGORY_LENGTH, characters.length()));
            default -> characters.substring(end);
        };
    }

    int family(int kind, int label) {
        return byLabel[kind][label];
    }

    int count(int kind) {
        return counts[kind];
    }
}
