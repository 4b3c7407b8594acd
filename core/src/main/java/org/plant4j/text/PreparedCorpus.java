package org.plant4j.text;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A corpus as token and label ids, stored in a directory: the vocabulary, the label index, and a token store per split.
 * {@code CorpusPreparer} writes it.
 */
public record PreparedCorpus(Path directory, Vocabulary vocabulary, LabelIndex labels) {

    public static final String TRAIN = "train";
    public static final String DEV = "dev";
    public static final String TEST = "test";
    public static final String UNLABELLED = "unlabelled";
    public static final String PASSAGES = "passages";

    private static final String VOCABULARY = "vocabulary.tsv";
    private static final String LABELS = "labels.tsv";

    public static PreparedCorpus open(Path directory) {
        return new PreparedCorpus(
                directory, Vocabulary.read(directory.resolve(VOCABULARY)), LabelIndex.read(directory.resolve(LABELS)));
    }

    /** The training documents. */
    public TokenStore train() {
        return split(TRAIN);
    }

    /** The data to train on: the training documents, followed by their passages if they were extracted. */
    public Dataset trainingData() {
        return hasSplit(PASSAGES) ? new ConcatDataset(train(), split(PASSAGES)) : train();
    }

    /** The documents of a split, by the name under which it was prepared. */
    public TokenStore split(String name) {
        return TokenStore.open(file(name));
    }

    public boolean hasSplit(String name) {
        return Files.exists(file(name));
    }

    /** The file of a split. */
    public Path file(String split) {
        return directory.resolve(split + ".tokens");
    }

    /** Writes the vocabulary and the label index. */
    public void writeIndexes() {
        vocabulary.write(directory.resolve(VOCABULARY));
        labels.write(directory.resolve(LABELS));
    }
}
