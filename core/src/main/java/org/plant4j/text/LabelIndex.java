package org.plant4j.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.plant4j.support.UserError;

/**
 * The codes of a run. First those a model learns, by falling training frequency and then by code: ids 0 to
 * {@code seen() - 1}. Then those it can give though it learned nothing of them, for it reads what they mean: up to
 * {@code size() - 1}. After them codes that gold data name but no model can predict, so that such a code has one id in every
 * part of the corpus.
 */
public final class LabelIndex {

    private static final List<String> HEADER = List.of("code", "documents", "learned");
    private static final String LEARNED = "1";
    private static final String DESCRIBED = "described";

    private final List<String> codes;
    private final int[] frequencies;
    private final int seen;
    private final int size;
    private final Map<String, Integer> ids = new HashMap<>();

    private LabelIndex(List<String> codes, int[] frequencies, int seen, int size) {
        this.codes = List.copyOf(codes);
        this.frequencies = frequencies;
        this.seen = seen;
        this.size = size;
        for (String code : codes) {
            ids.putIfAbsent(code, ids.size());
        }
        if (ids.size() != codes.size()) {
            throw new IllegalArgumentException("codes: one is named twice");
        }
    }

    /** Orders the codes of training documents; those in fewer than {@code minDocuments} are not learned. */
    public static LabelIndex of(Map<String, Integer> documentFrequencies, int minDocuments) {
        List<String> codes = new ArrayList<>(documentFrequencies.keySet());
        codes.sort(Comparator.comparingInt((String code) -> -documentFrequencies.getOrDefault(code, 0))
                .thenComparing(Comparator.naturalOrder()));
        int[] frequencies = codes.stream()
                .mapToInt(code -> documentFrequencies.getOrDefault(code, 0))
                .toArray();
        int seen = 0;
        while (seen < frequencies.length && frequencies[seen] >= minDocuments) {
            seen++;
        }
        return new LabelIndex(codes, frequencies, seen, seen);
    }

    /**
     * The learned labels, and after them those of the given codes that are not learned, in the order of the codes: in fewer
     * training documents than it takes, or in none.
     */
    public LabelIndex withZeroShot(Collection<String> others) {
        Set<String> extended = new LinkedHashSet<>(codes.subList(0, seen));
        extended.addAll(new TreeSet<>(others));
        int extendedSize = extended.size();
        extended.addAll(codes);
        int[] extendedFrequencies = extended.stream()
                .mapToInt(code -> ids.containsKey(code) ? frequencies[ids.get(code)] : 0)
                .toArray();
        return new LabelIndex(List.copyOf(extended), extendedFrequencies, seen, extendedSize);
    }

    /** These labels, and after them the given codes that are not among them yet, in the order given. */
    public LabelIndex extendedWith(Collection<String> others) {
        Set<String> extended = new LinkedHashSet<>(codes);
        extended.addAll(others);
        return new LabelIndex(List.copyOf(extended), Arrays.copyOf(frequencies, extended.size()), seen, size);
    }

    /** How many labels a model has: L. */
    public int size() {
        return size;
    }

    /** How many of them it learns; of the others it knows what they mean. */
    public int trainedCount() {
        return seen;
    }

    /** All codes with an id, learned or not. */
    public List<String> codes() {
        return codes;
    }

    public String code(int id) {
        return codes.get(id);
    }

    /** The id of a code, {@code size()} or above where no model can give it, empty where it was never met. */
    public OptionalInt id(String code) {
        Integer id = ids.get(code);
        return id == null ? OptionalInt.empty() : OptionalInt.of(id);
    }

    /** The ids of the codes; every code must have been met. */
    public IntStream ids(Collection<String> someCodes) {
        return someCodes.stream()
                .mapToInt(code -> id(code).orElseThrow(() -> new IllegalArgumentException("code: " + code)));
    }

    /** The number of training documents with the label. */
    public int frequency(int id) {
        return frequencies[id];
    }

    /** The training frequency of each of the L labels. */
    public int[] frequencies() {
        return Arrays.copyOf(frequencies, size);
    }

    /**
     * Writes a table {@code code⇥documents⇥learned} whose row n, counted from 0 below the header, is id n. Of a code that is
     * known by what it means alone the last column says {@code described}.
     */
    public void write(Path file) {
        List<List<String>> rows = new ArrayList<>();
        for (int id = 0; id < codes.size(); id++) {
            rows.add(List.of(codes.get(id), Integer.toString(frequencies[id]), kind(id)));
        }
        TsvFile.write(file, HEADER, rows);
    }

    private String kind(int id) {
        if (id < seen) {
            return LEARNED;
        }
        return id < size ? DESCRIBED : "0";
    }

    public static LabelIndex read(Path file) {
        List<String[]> rows = TsvFile.read(file, HEADER);
        List<String> codes = new ArrayList<>();
        int[] frequencies = new int[rows.size()];
        int seen = 0;
        int size = 0;
        for (int id = 0; id < frequencies.length; id++) {
            String[] row = rows.get(id);
            codes.add(row[0]);
            frequencies[id] = Math.toIntExact(TsvFile.number(file, id, row[1]));
            boolean learned = row[2].equals(LEARNED);
            if (learned || row[2].equals(DESCRIBED)) {
                if ((learned ? seen : size) != id) {
                    throw new UserError(
                            "A learned code stands below one that is not",
                            file + ":" + (id + 2),
                            "prepare the corpus again");
                }
                seen += learned ? 1 : 0;
                size++;
            }
        }
        if (new HashSet<>(codes).size() != codes.size()) {
            throw new UserError("A code is named twice", file.toString(), "prepare the corpus again");
        }
        return new LabelIndex(codes, frequencies, seen, size);
    }
}
