package org.plant4j.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.plant4j.calibration.Calibration;
import org.plant4j.metric.Thresholds;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.plant.Plant;
import org.plant4j.rank.RankModel;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.text.SubwordTokenizer;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.WordTokenizer;

/** The directory of a run: names its files, and reads and writes them. It is self-contained and can be moved. */
public record RunDirectory(Path path) {

    /** Maps the run's JSON files, with keys as in experiment files. */
    public static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    public Path experiment() {
        return path.resolve("experiment.yaml");
    }

    public Path manifest() {
        return path.resolve("manifest.json");
    }

    public Path model() {
        return path.resolve("model.json");
    }

    public Path vocabulary() {
        return path.resolve("vocabulary.tsv");
    }

    /** The tokenizer of a pretrained encoder; other runs tokenize into words. */
    public Path tokenizer() {
        return path.resolve("tokenizer.json");
    }

    /** Opens the tokenizer of the run's model; the caller closes it. */
    public Tokenizer openTokenizer() {
        return Files.exists(tokenizer()) ? SubwordTokenizer.open(tokenizer()) : new WordTokenizer();
    }

    public Path labels() {
        return path.resolve("labels.tsv");
    }

    public Path codeSet() {
        return path.resolve("code-set.tsv");
    }

    public Path thresholds() {
        return path.resolve("thresholds.json");
    }

    /** The mapping from scores to probabilities and bands. */
    public Path calibration() {
        return path.resolve("calibration.json");
    }

    /** The mutual information of tokens and labels; only for planted models. */
    public Path relevance() {
        return path.resolve(Plant.RELEVANCE);
    }

    /** The ranker as it was planted, before further training. */
    public Path ranker() {
        return path.resolve("ranker.safetensors");
    }

    public Path rankerConfig() {
        return path.resolve("ranker.json");
    }

    public Path rankerHistory() {
        return path.resolve("ranker-history.json");
    }

    /** The language model that the encoder was initialised from, if the run trained one. */
    public Path languageModel() {
        return path.resolve("language-model.safetensors");
    }

    public Path languageModelHistory() {
        return path.resolve("language-model-history.json");
    }

    /** The history of further pretraining with the masked language model. */
    public Path maskedModelHistory() {
        return path.resolve("masked-language-model-history.json");
    }

    /** The state of an unfinished training run; deleted when training completes. */
    public Path checkpoint() {
        return path.resolve("checkpoint.safetensors");
    }

    public Path history() {
        return path.resolve("history.json");
    }

    /** The evaluation of a split, {@code dev} or {@code test}. */
    public Path metrics(String split) {
        return path.resolve("metrics-" + split + ".json");
    }

    /** The predictions for each document of a split. */
    public Path predictions(String split) {
        return path.resolve("predictions-" + split + ".jsonl.gz");
    }

    public Path report() {
        return path.resolve("report.html");
    }

    public Path log() {
        return path.resolve("plant.log");
    }

    /** The name of the directory, which is that of the run. */
    public String name() {
        return String.valueOf(path.toAbsolutePath().normalize().getFileName());
    }

    public void write(Path file, Object value) {
        AtomicFile.write(file, draft -> {
            Files.createDirectories(path);
            Files.writeString(draft, JSON.writeValueAsString(value) + "\n");
        });
    }

    public <T> T read(Path file, Class<T> type) {
        try {
            return JSON.readValue(Files.readString(file), type);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "This is not the directory of a completed run: it has no " + file.getFileName(),
                    path.toString(),
                    "give a directory that `plant run` created, such as runs/laat@demo",
                    e);
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null ? "" : ":" + e.getLocation().getLineNr();
            throw new UserError(
                    "The file is damaged or was written by another version of Plant4j",
                    file + where,
                    "run the experiment again with --force",
                    e);
        } catch (CharacterCodingException e) {
            throw new UserError(
                    "The file is damaged: it is not text", file.toString(), "run the experiment again with --force", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Copies the ranker to another run. */
    public void copyRanker(RunDirectory to) {
        Map.of(ranker(), to.ranker(), rankerConfig(), to.rankerConfig(), rankerHistory(), to.rankerHistory())
                .forEach((from, target) -> AtomicFile.write(
                        target, draft -> Files.copy(from, draft, StandardCopyOption.REPLACE_EXISTING)));
    }

    /** Opens the ranker; the caller closes it. */
    public RankModel openRanker(int vocabularySize, int labels, Compute compute) {
        RankModel model = new RankModel(read(rankerConfig(), RankModel.Config.class), vocabularySize, labels, compute);
        try {
            model.load(ranker());
        } catch (RuntimeException | Error e) {
            model.close();
            throw e;
        }
        return model;
    }

    public ModelConfig modelConfig() {
        return read(model(), ModelConfig.class);
    }

    public Thresholds readThresholds() {
        return read(thresholds(), Thresholds.class);
    }

    public Calibration readCalibration() {
        if (!Files.exists(calibration())) {
            throw new UserError(
                    "The run is not calibrated: it has no " + calibration().getFileName(),
                    path.toString(),
                    "calibrate it with: plant evaluate " + path);
        }
        return read(calibration(), Calibration.class);
    }
}
