package org.plant4j.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.plant4j.Thresholds;
import org.plant4j.UserError;
import org.plant4j.calibration.Calibration;
import org.plant4j.context.ContextProfile;
import org.plant4j.domain.DomainProfile;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.plant.Plant;
import org.plant4j.rank.RankModel;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.FileChecksums;
import org.plant4j.support.StrictJson;
import org.plant4j.tensor.Compute;
import org.plant4j.text.SubwordTokenizer;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.WordTokenizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directory of a run: names its files, and reads and writes them. It is self-contained and can be moved. */
public record RunDirectory(Path path) {

    /** Maps the run's JSON files, with keys as in experiment files. */
    public static final ObjectMapper JSON = StrictJson.builder()
            .addModule(new Jdk8Module())
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    /** The remedy for damaged files. */
    static final String RESTORE =
            "copy the complete run directory from an intact copy, or run the experiment again with --force";

    private static final Logger LOG = LoggerFactory.getLogger(RunDirectory.class);

    /** Opens a run after checking each of its files against the checksums in its manifest. */
    public static RunDirectory open(Path path) {
        RunDirectory directory = new RunDirectory(path);
        return directory.verify(directory.readManifest().files());
    }

    /** Like {@link #open}, but ignores a missing or damaged report, for commands that write it again. */
    public static RunDirectory openExceptReport(Path path) {
        RunDirectory directory = new RunDirectory(path);
        return directory.verify(directory
                .readManifest()
                .files()
                .without(directory.report().getFileName().toString()));
    }

    private RunDirectory verify(FileChecksums files) {
        if (files.files().isEmpty()) {
            LOG.warn("{} has no checksums, so damage is not detected; `plant run` adds them", path);
        }
        files.firstDamage(path).ifPresent(damage -> {
            String remedy = damage.file().equals(report()) ? "write it again: plant evaluate " + path : RESTORE;
            throw new UserError(
                    "The run is damaged: " + damage.what(), damage.file().toString(), remedy);
        });
        return this;
    }

    public RunManifest readManifest() {
        return new ManifestFile(manifest()).read();
    }

    /** Rewrites the manifest; its files stay as they are. */
    public void updateManifest(UnaryOperator<RunManifest> change) {
        new ManifestFile(manifest()).write(change.apply(readManifest()));
    }

    /**
     * Whether a file belongs to the run. A file that the manifest does not list does not, even if it exists: it may come
     * from another run or an interrupted one. Without a manifest, as in cached stages, every file belongs to the directory.
     */
    public boolean has(Path file) {
        if (!Files.exists(manifest())) {
            return Files.exists(file);
        }
        RunManifest manifest = readManifest();
        return manifest.format() == 0 ? Files.exists(file) : manifest.files().contains(path, file);
    }

    /** Throws unless these files belong to the run. */
    public void require(Path... files) {
        for (Path file : files) {
            if (!has(file)) {
                throw new UserError(
                        "This is not the directory of a completed run: it has no " + file.getFileName(),
                        path.toString(),
                        "complete it with `plant run`, or give the directory of a completed run");
            }
        }
    }

    /** Writes the first files of a run into the directory passed to the writer; replaces an existing run except its log. */
    public void create(RunManifest manifest, Consumer<RunDirectory> writer) {
        new RunUpdate(this).create(manifest, writer);
    }

    /** Adds or replaces files of the run: those that are written into the directory passed to the writer. */
    public void add(Consumer<RunDirectory> writer) {
        add(writer, UnaryOperator.identity());
    }

    /** Adds or replaces files of the run and changes its manifest, in one step. */
    public void add(Consumer<RunDirectory> writer, UnaryOperator<RunManifest> change) {
        new RunUpdate(this).add(writer, change);
    }

    /** Adds or replaces a JSON file of the run. */
    public void add(Path file, Object value) {
        add(staging -> staging.write(staging.path.resolve(path.relativize(file)), value));
    }

    /** Adds the checksums that a run of an earlier version does not have. */
    public void addMissingChecksums() {
        new RunUpdate(this).addMissingChecksums();
    }

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
        return has(tokenizer()) ? SubwordTokenizer.open(tokenizer()) : new WordTokenizer();
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

    /** Fingerprints of the training documents, and of those of the runs that training started from. */
    public Path trainedDocuments() {
        return path.resolve("trained-documents.bin");
    }

    /** What the guard knows about the training documents. */
    public Path domain() {
        return path.resolve("domain-guard.json");
    }

    /** What training documents show about negated mentions and mentions about relatives. */
    public Path contextProfile() {
        return path.resolve("context-profile.json");
    }

    /** The size of shortlists and how it was chosen, if on dev. */
    public Path shortlist() {
        return path.resolve("shortlist.json");
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

    /** The card of a packed model; other runs have none. */
    public Path card() {
        return path.resolve("card.json");
    }

    /** The name of the directory, which is that of the run. */
    public String name() {
        return String.valueOf(path.toAbsolutePath().normalize().getFileName());
    }

    /** Writes a JSON file to a directory without a manifest; files of a run are added with {@link #add}. */
    public void write(Path file, Object value) {
        AtomicFile.write(file, draft -> Files.writeString(draft, JSON.writeValueAsString(value) + "\n"));
    }

    public <T> T read(Path file, Class<T> type) {
        require(file);
        return parse(file, () -> JSON.readValue(Files.readString(file), type));
    }

    @FunctionalInterface
    private interface Parser<T> {
        T parse() throws IOException;
    }

    private static <T> T parse(Path file, Parser<T> parser) {
        try {
            return parser.parse();
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null ? "" : ":" + e.getLocation().getLineNr();
            throw new UserError(
                    "The file is damaged or was written by another version of Plant4j", file + where, RESTORE, e);
        } catch (CharacterCodingException e) {
            throw new UserError("The file is damaged: it is not text", file.toString(), RESTORE, e);
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
        JsonNode tree = read(model(), JsonNode.class);
        EarlierVersions.completeModel(tree);
        return parse(model(), () -> JSON.treeToValue(tree, ModelConfig.class));
    }

    public Thresholds readThresholds() {
        return read(thresholds(), Thresholds.class);
    }

    /** The profile of the guard, which detects foreign texts; empty for a run that was evaluated by an earlier version. */
    public Optional<DomainProfile> readDomain() {
        return has(domain()) ? Optional.of(read(domain(), DomainProfile.class)) : Optional.empty();
    }

    /** The context profile; {@link ContextProfile#NONE} for a run that was evaluated by an earlier version. */
    public ContextProfile readContextProfile() {
        return has(contextProfile()) ? read(contextProfile(), ContextProfile.class) : ContextProfile.NONE;
    }

    public Calibration readCalibration() {
        if (!has(calibration())) {
            throw new UserError(
                    "The run is not calibrated: it has no " + calibration().getFileName(),
                    path.toString(),
                    "calibrate it with: plant evaluate " + path);
        }
        return read(calibration(), Calibration.class);
    }

    /** The calibration, or none: a run can predict after its first epoch, but is calibrated only when it is evaluated. */
    public Calibration calibrationOrNone() {
        return has(calibration())
                ? readCalibration()
                : Calibration.none(readThresholds().global());
    }
}
