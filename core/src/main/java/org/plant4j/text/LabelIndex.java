package org.plant4j.text;

import java.io.Serializable;
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
import org.plant4j.UserError;

/**
 * Maps the codes of a run to label ids. Trained labels come first, by descending training frequency, then by code: ids 0
 * to {@code trainedCount() - 1}. Zero-shot labels follow, up to {@code size() - 1}. Ids from {@code size()} on belong to
 * gold codes of dev and test that no model can predict; they have ids so that metrics can count them.
 */
public final class LabelIndex implements Serializable {

    private static final long serialVersionUID = 1;

    private static final List<String> HEADER = List.of("code", "documents", "kind");
    private static final String TRAINED = "trained";
    private static final String ZERO_SHOT = "zero-shot";
    private static final String GOLD_ONLY = "gold-only";

    private final List<String> codes;
    private final int[] frequencies;
    private final int trainedCount;
    private final int size;
    private final HashMap<String, Integer> ids = new HashMap<>();

    private LabelIndex(List<String> codes, int[] frequencies, int trainedCount, int size) {
        this.codes = List.copyOf(codes);
        this.frequencies = frequencies;
        this.trainedCount = trainedCount;
        this.size = size;
        for (String code : codes) {
            ids.putIfAbsent(code, ids.size());
        }
        if (ids.size() != codes.size()) {
            throw new IllegalArgumentException("codes: duplicate code");
        }
    }

    /** Orders the codes of training documents; codes of fewer than {@code minDocuments} documents are not trained. */
    public static LabelIndex of(Map<String, Integer> documentFrequencies, int minDocuments) {
        List<String> codes = new ArrayList<>(documentFrequencies.keySet());
        codes.sort(Comparator.comparingInt((String code) -> -documentFrequencies.getOrDefault(code, 0))
                .thenComparing(Comparator.naturalOrder()));
        int[] frequencies = codes.stream()
                .mapToInt(code -> documentFrequencies.getOrDefault(code, 0))
                .toArray();
        int trainedCount = 0;
        while (trainedCount < frequencies.length && frequencies[trainedCount] >= minDocuments) {
            trainedCount++;
        }
        return new LabelIndex(codes, frequencies, trainedCount, trainedCount);
    }

    /** The trained labels followed by those of the given codes that are not trained, sorted by code, as zero-shot labels. */
    public LabelIndex withZeroShot(Collection<String> zeroShotCodes) {
        Set<String> extended = new LinkedHashSet<>(codes.subList(0, trainedCount));
        extended.addAll(new TreeSet<>(zeroShotCodes));
        int extendedSize = extended.size();
        extended.addAll(codes);
        int[] extendedFrequencies = extended.stream()
                .mapToInt(code -> ids.containsKey(code) ? frequencies[ids.get(code)] : 0)
                .toArray();
        return new LabelIndex(List.copyOf(extended), extendedFrequencies, trainedCount, extendedSize);
    }

    /**
     * This index with the predicted labels of an earlier one, which stay trained labels whether or not they occur here. To
     * the earlier frequency of a label its new documents are added. A document that is known may have new labels, so that no
     * frequency is below that in this index.
     *
     * @param newDocuments by code, the documents of this index that the earlier one has not counted
     */
    public LabelIndex continuing(LabelIndex earlier, Map<String, Integer> newDocuments) {
        Map<String, Integer> sums = new HashMap<>();
        for (int id = 0; id < codes.size(); id++) {
            sums.put(codes.get(id), frequencies[id]);
        }
        Set<String> trained = new HashSet<>(codes.subList(0, trainedCount));
        for (int id = 0; id < earlier.size; id++) {
            trained.add(earlier.code(id));
            int continued = earlier.frequency(id) + newDocuments.getOrDefault(earlier.code(id), 0);
            sums.merge(earlier.code(id), continued, Math::max);
        }
        List<String> all = new ArrayList<>(sums.keySet());
        all.sort(Comparator.comparing((String code) -> !trained.contains(code))
                .thenComparing(code -> -sums.getOrDefault(code, 0))
                .thenComparing(Comparator.naturalOrder()));
        int[] summed = all.stream().mapToInt(code -> sums.getOrDefault(code, 0)).toArray();
        return new LabelIndex(all, summed, trained.size(), trained.size());
    }

    /** This index with ids for further codes that cannot be predicted, in the given order. */
    public LabelIndex extendedWith(Collection<String> goldCodes) {
        Set<String> extended = new LinkedHashSet<>(codes);
        extended.addAll(goldCodes);
        return new LabelIndex(List.copyOf(extended), Arrays.copyOf(frequencies, extended.size()), trainedCount, size);
    }

    /** The number of labels that a model predicts: L. */
    public int size() {
        return size;
    }

    /** The number of labels with enough training documents; the others are zero-shot labels. */
    public int trainedCount() {
        return trainedCount;
    }

    /** All codes with an id, including those that cannot be predicted. */
    public List<String> codes() {
        return codes;
    }

    public String code(int id) {
        return codes.get(id);
    }

    /** The id of a code, at least {@code size()} if it cannot be predicted; empty for an unknown code. */
    public OptionalInt id(String code) {
        Integer id = ids.get(code);
        return id == null ? OptionalInt.empty() : OptionalInt.of(id);
    }

    /** The ids of codes, all of which must be known. */
    public IntStream ids(Collection<String> known) {
        return known.stream()
                .mapToInt(code -> id(code).orElseThrow(() -> new IllegalArgumentException("unknown code: " + code)));
    }

    /** The number of training documents with a label. */
    public int frequency(int id) {
        return frequencies[id];
    }

    /** The training frequency of each of the L labels. */
    public int[] frequencies() {
        return Arrays.copyOf(frequencies, size);
    }

    /**
     * Writes the columns {@code code, documents, kind}; row n below the header, counted from 0, is id n. The kind is
     * {@code trained}, {@code zero-shot}, or {@code gold-only} for a code that cannot be predicted.
     */
    public void write(Path file) {
        List<List<String>> rows = new ArrayList<>();
        for (int id = 0; id < codes.size(); id++) {
            rows.add(List.of(codes.get(id), Integer.toString(frequencies[id]), kind(id)));
        }
        TsvFile.write(file, HEADER, rows);
    }

    private String kind(int id) {
        if (id < trainedCount) {
            return TRAINED;
        }
        return id < size ? ZERO_SHOT : GOLD_ONLY;
    }

    public static LabelIndex read(Path file) {
        List<String[]> rows = TsvFile.read(file, HEADER);
        List<String> codes = new ArrayList<>();
        int[] frequencies = new int[rows.size()];
        int trainedCount = 0;
        int size = 0;
        for (int id = 0; id < frequencies.length; id++) {
            String[] row = rows.get(id);
            codes.add(row[0]);
            frequencies[id] = Math.toIntExact(TsvFile.number(file, id, row[1]));
            boolean trained = row[2].equals(TRAINED);
            if (trained || row[2].equals(ZERO_SHOT)) {
                if ((trained ? trainedCount : size) != id) {
                    throw new UserError(
                            "A trained label follows one that is not trained",
                            file + ":" + (id + 2),
                            "prepare the corpus again");
                }
                trainedCount += trained ? 1 : 0;
                size++;
            } else if (!row[2].equals(GOLD_ONLY)) {
                throw new UserError(
                        "Unknown kind of label: '" + row[2] + "'", file + ":" + (id + 2), "prepare the corpus again");
            }
        }
        if (new HashSet<>(codes).size() != codes.size()) {
            throw new UserError("Duplicate code", file.toString(), "prepare the corpus again");
        }
        return new LabelIndex(codes, frequencies, trainedCount, size);
    }
}
