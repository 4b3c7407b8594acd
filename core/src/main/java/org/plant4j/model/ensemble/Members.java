package org.plant4j.model.ensemble;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;

/** The models that another model is made of: they have the same vocabulary and labels. */
record Members(List<Model> models) {

    Members {
        Arguments.check(!models.isEmpty(), "members", "none", "one or more");
        models = List.copyOf(models);
        int labels = models.get(0).labels();
        for (Model model : models) {
            Arguments.check(model.labels() == labels, "labels", model.labels(), String.valueOf(labels));
        }
    }

    /** Loads what {@link #save} wrote. */
    static Members load(
            List<ModelConfig> configs, Path directory, int vocabularySize, LabelIndex labels, Compute compute) {
        List<Model> loaded = new ArrayList<>();
        try {
            for (ModelConfig config : configs) {
                loaded.add(config.load(directory(directory, loaded.size()), vocabularySize, labels, compute));
            }
            return new Members(loaded);
        } catch (RuntimeException | Error e) {
            loaded.forEach(Model::close);
            throw e;
        }
    }

    int labels() {
        return models.get(0).labels();
    }

    int count() {
        return models.size();
    }

    /** The smallest batches that any member needs. */
    List<int[]> batches(List<int[]> documents, PredictionRequest request) {
        return models.stream()
                .map(model -> model.batches(documents, request))
                .max(Comparator.comparingInt(List::size))
                .orElseThrow();
    }

    private static Path directory(Path directory, int index) {
        return directory.resolve("members").resolve(Integer.toString(index));
    }

    /** Saves each member in a subdirectory: {@code members/0}, {@code members/1}, … */
    void save(Path directory) {
        for (int i = 0; i < models.size(); i++) {
            Path own = directory(directory, i);
            try {
                Files.createDirectories(own);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            models.get(i).save(own);
        }
    }

    void close() {
        models.forEach(Model::close);
    }
}
