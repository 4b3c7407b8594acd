package org.plant4j.model.baseline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.UserError;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.TrainingContext;
import org.plant4j.model.output.BatchPredictor;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;

/** The baseline without input: every document gets the relative frequency of each label in training. */
public final class FrequencyPrior implements Model {

    /** There are no settings. */
    public record Config() implements ModelConfig {

        @Override
        public boolean train(TrainingContext context) {
            return context.fitInOneStep(() -> of(context.labels().frequencies(), context.documentCount()));
        }

        @Override
        public FrequencyPrior load(Path directory, int vocabularySize, LabelIndex labels, Compute compute) {
            return FrequencyPrior.load(directory);
        }
    }

    private static final String NAME = "prior.txt";

    private final float[] scores;

    private FrequencyPrior(float[] scores) {
        this.scores = scores;
    }

    /** {@code frequencies} are the training documents per label, {@code documents} all training documents. */
    public static FrequencyPrior of(int[] frequencies, int documents) {
        Arguments.atLeast(1, "documents", documents);
        float[] scores = new float[frequencies.length];
        for (int label = 0; label < scores.length; label++) {
            scores[label] = (float) frequencies[label] / documents;
        }
        return new FrequencyPrior(scores);
    }

    @Override
    public int labels() {
        return scores.length;
    }

    /** The same scores for every document, and no evidence: all weights are 0. */
    @Override
    public BatchPredictor predictor(List<int[]> documents, PredictionRequest request) {
        return new BatchPredictor() {
            @Override
            public float[][] scores() {
                return documents.stream().map(document -> scores.clone()).toArray(float[][]::new);
            }

            @Override
            public List<float[][]> evidence(List<int[]> labels) {
                return IntStream.range(0, documents.size())
                        .mapToObj(i -> new float[labels.get(i).length][documents.get(i).length])
                        .toList();
            }
        };
    }

    /** Writes {@code prior.txt}: one score per line, in the order of the labels. */
    @Override
    public void save(Path directory) {
        List<String> lines = new ArrayList<>();
        for (float score : scores) {
            lines.add(Float.toString(score));
        }
        try {
            Files.createDirectories(directory);
            Files.write(directory.resolve(NAME), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static FrequencyPrior load(Path directory) {
        Path file = directory.resolve(NAME);
        try {
            List<String> lines = Files.readAllLines(file);
            float[] scores = new float[lines.size()];
            for (int label = 0; label < scores.length; label++) {
                scores[label] = Float.parseFloat(lines.get(label));
            }
            return new FrequencyPrior(scores);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "The frequency prior is missing", file.toString(), "name the directory of a finished run", e);
        } catch (NumberFormatException e) {
            throw new UserError(
                    "The file contains a line that is not a number", file.toString(), "train the model again", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {}
}
