package org.plant4j.model.ensemble;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.model.linear.PairRegression.Pair;
import org.plant4j.support.Arguments;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.StrictJson;
import org.plant4j.text.TrainedDocuments;

/**
 * How a stack merges its members, learned from dev documents. These documents are divided into folds, and each of them is always
 * merged by the regression fitted on the other folds, so that the regression does not bias what is measured or chosen on dev, such
 * as metrics, thresholds and calibration. All other documents are merged by the regression fitted on all dev documents.
 *
 * @param stacking learned from all dev documents
 * @param folds for each fold the regression fitted on the others
 * @param documents fingerprints of the tokens of the dev documents, ascending; the fold of each is its position modulo the number
 *     of folds
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LearnedMerge(MergeRegression stacking, List<MergeRegression> folds, long[] documents) {

    static final String FILE = "merge.json";

    private static final int FOLDS = 5;
    private static final ObjectMapper JSON = StrictJson.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    LearnedMerge {
        folds = List.copyOf(folds);
        Objects.requireNonNull(stacking, "stacking");
        Arguments.check(documents.length == 0 || !folds.isEmpty(), "folds", folds.size(), "one or more");
    }

    /** A dev document: the fingerprint of its tokens, and labels that members rank high. */
    record DevDocument(long fingerprint, List<Pair> pairs) {

        static DevDocument of(int[] tokens, List<Pair> pairs) {
            return new DevDocument(TrainedDocuments.fingerprint(tokens), pairs);
        }
    }

    /** Learns from two documents or more. */
    static LearnedMerge fit(List<DevDocument> documents) {
        if (documents.stream().flatMap(document -> document.pairs.stream()).noneMatch(Pair::gold)) {
            throw new UserError(
                    "No member proposes a label that a dev document has, so there is no merge to learn",
                    "model.merge",
                    "check that dev has the codes of train, or name a run whose merge is used: --set model.merge=runs/NAME");
        }
        long[] fingerprints = documents.stream()
                .mapToLong(DevDocument::fingerprint)
                .sorted()
                .distinct()
                .toArray();
        int count = Math.min(FOLDS, fingerprints.length);
        List<MergeRegression> folds = IntStream.range(0, count)
                .mapToObj(fold -> fit(documents.stream()
                        .filter(document -> Arrays.binarySearch(fingerprints, document.fingerprint) % count != fold)))
                .toList();
        return new LearnedMerge(fit(documents.stream()), folds, fingerprints);
    }

    private static MergeRegression fit(Stream<DevDocument> documents) {
        List<Pair> pairs =
                documents.flatMap(document -> document.pairs.stream()).toList();
        if (pairs.isEmpty()) {
            throw new UserError(
                    "Dev has too few documents with labels to learn how to merge the members",
                    "model.merge",
                    "use more dev documents, or name a run whose merge is used: --set model.merge=runs/NAME");
        }
        return MergeRegression.fit(pairs);
    }

    /** The merge for a document: that of the folds without it. */
    MergeRegression of(int[] tokens) {
        int position = Arrays.binarySearch(documents, TrainedDocuments.fingerprint(tokens));
        return position < 0 ? stacking : folds.get(position % folds.size());
    }

    void write(Path directory) {
        AtomicFile.write(directory.resolve(FILE), draft -> JSON.writeValue(draft.toFile(), this));
    }

    /** Reads what {@link #write} wrote for a stack of as many members. */
    static LearnedMerge read(Path directory, int members) {
        Path file = directory.resolve(FILE);
        try {
            LearnedMerge merge = JSON.readValue(Files.readAllBytes(file), LearnedMerge.class);
            int merged = merge.stacking.members();
            if (merged != members) {
                throw new UserError(
                        "The learned merge is of " + merged + " models, the stack has " + members,
                        file.toString(),
                        "copy the run again");
            }
            return merge;
        } catch (JacksonException | IllegalArgumentException e) {
            throw new UserError("Not the merge of a stacked model", file.toString(), "copy the run again", e);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "The run has no learned merge", file.toString(), "name the directory of a stacked model's run", e);
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
    }
}
