package org.plant4j.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.plant4j.UserError;
import org.plant4j.experiment.ExperimentLibrary.Kind;
import org.plant4j.experiment.settings.SettingsBinder;
import org.plant4j.experiment.settings.SettingsPaths;
import org.plant4j.experiment.settings.SettingsTree;
import org.plant4j.inspection.ModelAdvice;
import org.plant4j.support.DidYouMean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads experiments. {@code MODEL@CORPUS} combines a model and a corpus of the {@link ExperimentLibrary}; a YAML file
 * {@code extends} models, experiments or other files and lists what differs. {@code ${NAME}} and {@code
 * ${NAME:default}} are environment variables, and relative paths start at the directory of the file that contains them.
 *
 * <pre>{@code
 * Experiment experiment = ExperimentFile.open("plant@demo", List.of("training.epochs=3"));
 * }</pre>
 */
public final class ExperimentFile {

    private static final Logger LOG = LoggerFactory.getLogger(ExperimentFile.class);

    private static final String COMMAND_LINE = "command line";
    private static final List<String> OPTIONAL_SECTIONS = List.of(
            "start",
            "pretrained_encoder",
            "word_vectors",
            "language_model",
            "masked_language_model",
            "mutual_information",
            "ranker");

    private ExperimentFile() {}

    /**
     * Opens an experiment by {@code MODEL@CORPUS} or by its YAML file, which ends in {@code .yaml} or {@code .yml}.
     *
     * @param overrides settings to change, each {@code path.to.key=value}
     */
    public static Experiment open(String reference, List<String> overrides) {
        return open(reference, overrides, LOG::info);
    }

    /** Opens an experiment; {@code notice} receives the reason for the model that {@code auto} chose. */
    public static Experiment open(String reference, List<String> overrides, Consumer<String> notice) {
        ExperimentReference parsed = ExperimentReference.parse(reference);
        if (parsed.corpus().isEmpty() && !SettingsPaths.isFile(reference)) {
            throw incomplete(reference);
        }
        return read(parsed, overrides, notice);
    }

    /** Combines a model with a corpus file; {@code notice} receives the reason for the model that {@code auto} chose. */
    public static Experiment open(String model, Path corpus, List<String> overrides, Consumer<String> notice) {
        String file = corpus.toAbsolutePath().toString();
        return read(new ExperimentReference(model, Optional.of(file)), overrides, notice);
    }

    /** Reads a YAML file. */
    public static Experiment read(Path file, List<String> overrides) {
        return read(new ExperimentReference(file.toAbsolutePath().toString(), Optional.empty()), overrides, LOG::info);
    }

    private static Experiment read(ExperimentReference reference, List<String> overrides, Consumer<String> notice) {
        ExtendsChain chain = new ExtendsChain();
        ObjectNode tree = compose(reference, overrides, chain);
        if (chain.usesAuto()) {
            ModelAdvice advice = AutoModel.choose(tree, reference.model());
            notice.accept("auto: " + advice.model() + ", because " + advice.reason());
            tree = compose(reference, overrides, new ExtendsChain(Optional.of(advice.model())));
        }
        tree.remove(AutoModel.NAME);
        ExperimentComposer.addEncoderSizes(tree);
        return bind(tree, reference);
    }

    private static ObjectNode compose(ExperimentReference reference, List<String> overrides, ExtendsChain chain) {
        ObjectNode tree = ExperimentComposer.compose(reference, workingDirectory(), COMMAND_LINE, chain);
        override(tree, overrides);
        return tree;
    }

    /**
     * Opens an experiment of which only the model and its training settings are used: it needs neither a corpus nor the
     * pretrained encoder's files.
     */
    public static Experiment openModel(String reference, List<String> overrides) {
        ExperimentReference parsed = ExperimentReference.parse(reference);
        ObjectNode tree = ExperimentComposer.compose(parsed, workingDirectory(), COMMAND_LINE);
        override(tree, overrides);
        tree.remove(AutoModel.NAME); // without a corpus, auto is plant
        ExperimentComposer.addStandardEncoderSizes(tree);
        tree.putIfAbsent("corpus", tree.objectNode().put("format", "demo"));
        return bind(tree, parsed);
    }

    /** Writes an experiment as YAML with all settings, so that it extends nothing. */
    public static String toYaml(Experiment experiment) {
        try {
            return SettingsTree.YAML.writeValueAsString(experiment);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes an experiment as YAML for other machines, without directories of this one. */
    public static String toPortableYaml(Experiment experiment) {
        ObjectNode tree = SettingsTree.YAML.valueToTree(experiment);
        SettingsPaths.makePortable(tree);
        try {
            return SettingsTree.YAML.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path workingDirectory() {
        return Path.of("").toAbsolutePath();
    }

    private static void override(ObjectNode tree, List<String> overrides) {
        overrides.forEach(override -> SettingsTree.set(tree, override));
        SettingsPaths.resolve(tree, workingDirectory()); // paths of overrides and of the library
    }

    private static Experiment bind(ObjectNode tree, ExperimentReference reference) {
        if (!tree.has("name")) {
            tree.put("name", reference.runName());
        }
        addDefaults(tree);
        String where =
                reference.model() + reference.corpus().map(name -> "@" + name).orElse("");
        return SettingsBinder.bind(tree, Experiment.class, where, List.of("extends"))
                .withoutUnusedText();
    }

    private static UserError incomplete(String name) {
        List<String> models = ExperimentLibrary.names(Kind.MODELS);
        List<String> corpora = ExperimentLibrary.names(Kind.CORPORA);
        if (models.contains(name)) {
            return new UserError(
                    "'" + name + "' is a model, and an experiment also needs a corpus",
                    COMMAND_LINE,
                    "add one, for example " + name + "@demo or " + name + "@my-corpus.yaml. Corpora: "
                            + String.join(", ", corpora));
        }
        if (corpora.contains(name)) {
            return new UserError(
                    "'" + name + "' is a corpus, and an experiment also needs a model",
                    COMMAND_LINE,
                    "put one before it, for example plant@" + name + ". Models: " + String.join(", ", models));
        }
        String remedy =
                name.matches("[\\w.-]+") && Files.exists(workingDirectory().resolve(name + ".yaml"))
                        ? "did you mean the file '" + name + ".yaml'?"
                        : DidYouMean.closest(name, models)
                                .map(model -> "did you mean '" + model + "@CORPUS'?")
                                .orElse("write MODEL@CORPUS, such as plant@demo, or the path of a YAML file");
        return new UserError("Unknown experiment '" + name + "'", COMMAND_LINE, remedy);
    }

    /** Adds empty values for optional settings; any other missing setting is an error. */
    private static void addDefaults(ObjectNode tree) {
        OPTIONAL_SECTIONS.forEach(section -> tree.putIfAbsent(section, tree.nullNode()));
        if (tree.get("word_vectors") instanceof ObjectNode vectors) {
            vectors.putIfAbsent("method", TextNode.valueOf(SettingsTree.DEFAULT_VECTOR_METHOD));
        }
        if (tree.get("language_model") instanceof ObjectNode model) {
            model.putIfAbsent("start", model.nullNode());
        }
        if (tree.get("training") instanceof ObjectNode training) {
            EarlierVersions.completeTraining(training);
        }
        if (tree.get("evaluation") instanceof ObjectNode evaluation) {
            EarlierVersions.completeEvaluation(evaluation);
        }
        if (tree.get("model") instanceof ObjectNode model) {
            EarlierVersions.completeModel(model);
        }
        EarlierVersions.completeExperiment(tree);
        addCorpusDefaults(tree);
    }

    static void addCorpusDefaults(ObjectNode tree) {
        SettingsPaths.corpora(tree).forEach(corpus -> {
            List.of("format", "path", "delimiter").forEach(key -> addDefault(corpus, key, TextNode.valueOf("")));
            List.of("train", "dev", "test").forEach(split -> addDefault(corpus, split, corpus.arrayNode()));
            List.of("columns", "options").forEach(key -> addDefault(corpus, key, corpus.objectNode()));
        });
    }

    private static void addDefault(ObjectNode corpus, String key, JsonNode value) {
        if (!corpus.hasNonNull(key)) {
            corpus.set(key, value);
        }
    }
}
