package org.plant4j.model.matching;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.SentenceEncoder;
import org.plant4j.encoder.importer.EncoderInfo;
import org.plant4j.text.Dataset;
import org.plant4j.text.SubwordTokenizer;
import org.plant4j.text.Vocabulary;

/**
 * Compares the beginning of a document, such as its title, with the descriptions of labels by sentence embeddings. The encoder
 * reads the subwords of each word of the vocabulary; unknown words, numbers and punctuation are left out.
 */
final class Sentences implements AutoCloseable {

    /** Features of a candidate. */
    static final int FEATURES = 2;

    private final SentenceSettings settings;
    private final SentenceEncoder encoder;
    private final int[][] subwords; // of each token of the vocabulary
    private final LabelVectors labels;
    private final float[][]
            ridgeWeights; // of the weighted embedding, a row per trained label; none without ridge regression

    Sentences(
            SentenceSettings settings,
            SentenceEncoder encoder,
            int[][] subwords,
            LabelVectors labels,
            float[][] ridgeWeights) {
        this.settings = settings;
        this.encoder = encoder;
        this.subwords = subwords;
        this.labels = labels;
        this.ridgeWeights = ridgeWeights;
    }

    /** Opens the pretrained encoder and embeds the descriptions of all labels, given as token ids. */
    static Sentences of(SentenceSettings settings, Vocabulary vocabulary, List<int[]> descriptions) {
        EncoderDirectory directory = new EncoderDirectory(Path.of(settings.encoder()));
        SentenceEncoder encoder =
                SentenceEncoder.open(directory, EncoderInfo.of(directory).config());
        int[][] subwords = subwords(directory, vocabulary);
        List<int[]> texts = descriptions.stream()
                .map(description -> text(subwords, description, description.length))
                .toList();
        return new Sentences(settings, encoder, subwords, LabelVectors.of(encoder.embed(texts)), new float[0][]);
    }

    private static int[][] subwords(EncoderDirectory directory, Vocabulary vocabulary) {
        try (Vocabulary.Builder builder = new Vocabulary.Builder();
                SubwordTokenizer tokenizer = SubwordTokenizer.open(directory.tokenizer())) {
            Vocabulary subwords = builder.build(directory.tokens());
            int[][] ids = new int[vocabulary.size()][0];
            for (int token = Vocabulary.FIRST_TOKEN; token < ids.length; token++) {
                ids[token] = subwords.ids(tokenizer.tokenize(vocabulary.token(token)));
            }
            return ids;
        }
    }

    /** The same with the weights that ridge regression gives to embeddings. */
    Sentences withRidge(float[][] weights) {
        return new Sentences(settings, encoder, subwords, labels, weights);
    }

    /** The subwords of the first words of a document. */
    private static int[] text(int[][] subwords, int[] tokens, int words) {
        return Arrays.stream(tokens)
                .limit(words)
                .flatMap(token -> Arrays.stream(subwords[token]))
                .toArray();
    }

    SentenceEncoder encoder() {
        return encoder;
    }

    int[][] subwords() {
        return subwords;
    }

    LabelVectors labels() {
        return labels;
    }

    float[][] ridgeWeights() {
        return ridgeWeights;
    }

    /** The unit vectors of the beginnings of documents. */
    float[][] embed(List<int[]> documents) {
        return encoder.embed(documents.stream()
                .map(document -> text(subwords, document, settings.words()))
                .toList());
    }

    float[][] embed(Dataset documents) {
        return embed(
                IntStream.range(0, documents.size()).mapToObj(documents::tokens).toList());
    }

    /** Embeddings as further features of ridge regression. */
    float[][] weighted(float[][] embeddings) {
        float factor = (float) Math.sqrt(settings.kernel());
        float[][] weighted = new float[embeddings.length][];
        for (int document = 0; document < weighted.length; document++) {
            weighted[document] = embeddings[document].clone();
            for (int i = 0; i < weighted[document].length; i++) {
                weighted[document][i] *= factor;
            }
        }
        return weighted;
    }

    /** Adds what the embedding of a document contributes to its ridge scores. */
    void addTo(double[] scores, float[] embedding) {
        float[] weighted = weighted(new float[][] {embedding})[0];
        for (int label = 0; label < ridgeWeights.length; label++) {
            double sum = 0;
            for (int i = 0; i < weighted.length; i++) {
                sum += ridgeWeights[label][i] * weighted[i];
            }
            scores[label] += sum;
        }
    }

    /**
     * Sets the last two features of each candidate of a document: the cosine of its beginning and the label's description, and how
     * much lower it is than the highest one of the candidates. They stay 0 for labels without a description.
     */
    void addTo(List<float[]> features, List<Candidate> candidates, float[] embedding) {
        float[] cosines = new float[candidates.size()];
        float highest = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < cosines.length; i++) {
            int label = candidates.get(i).label();
            if (labels.isPresent(label)) {
                cosines[i] = labels.dot(label, embedding);
                highest = Math.max(highest, cosines[i]);
            }
        }
        for (int i = 0; i < cosines.length; i++) {
            if (labels.isPresent(candidates.get(i).label())) {
                float[] row = features.get(i);
                row[row.length - 2] = cosines[i];
                row[row.length - 1] = cosines[i] - highest;
            }
        }
    }

    @Override
    public void close() {
        encoder.close();
    }
}
