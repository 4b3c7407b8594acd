package org.plant4j.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.plant4j.experiment.ExperimentLibrary.Kind;
import org.plant4j.experiment.settings.SettingsPaths;
import org.plant4j.experiment.settings.SettingsTree;

/** Composes the settings of an experiment from a model, a corpus and a pretrained encoder. */
final class ExperimentComposer {

    private static final Set<String> PRETRAINED_TYPES = Set.of("bert", "longformer");
    private static final String PRETRAINED_ENCODER = "pretrained_encoder";

    private ExperimentComposer() {}

    static ObjectNode compose(ExperimentReference reference, Path directory, String referrer) {
        return compose(reference, directory, referrer, new ExtendsChain());
    }

    /** Composes an experiment; it may be one that a file in the chain extends. */
    static ObjectNode compose(ExperimentReference reference, Path directory, String referrer, ExtendsChain chain) {
        if (reference.corpus().isEmpty()) {
            return SettingsLoader.models(SettingsTree.YAML.createObjectNode(), chain)
                    .load(reference.model(), directory, referrer);
        }
        CorpusFile corpus = CorpusFile.open(reference.corpus().get(), directory, referrer, chain);
        ObjectNode tree = SettingsLoader.models(corpus.models(), chain).load(reference.model(), directory, referrer);
        corpus.copyDataTo(tree);
        if (tree.path("model").get("members") instanceof ArrayNode members) {
            addCorpus(members, corpus.reference());
        }
        return tree;
    }

    /** Members of an ensemble that are models become experiments on the same corpus. */
    private static void addCorpus(ArrayNode members, String corpus) {
        for (int i = 0; i < members.size(); i++) {
            String member = members.get(i).asText();
            if (members.get(i).isTextual() && !member.contains("@") && !SettingsPaths.isYaml(member)) {
                members.set(i, member + "@" + corpus);
            }
        }
    }

    /** Takes the sizes of a pretrained encoder from its directory, below the settings of the experiment itself. */
    static void addEncoderSizes(ObjectNode tree) {
        if (!usesPretrainedEncoder(tree) || !tree.path(PRETRAINED_ENCODER).isTextual()) {
            return;
        }
        Path file = Path.of(tree.get(PRETRAINED_ENCODER).asText()).resolve("encoder.yaml");
        if (Files.exists(file)) {
            addEncoderSizes(tree, SettingsTree.read(file, SettingsLoader.missingEncoder(file.resolveSibling(""))));
        } else if (!tree.path("model").path("encoder").has("hidden")) {
            throw SettingsLoader.missingEncoder(file.resolveSibling(""));
        }
    }

    /** Adds the sizes of multilingual BERT to a model whose pretrained encoder has not been imported. */
    static void addStandardEncoderSizes(ObjectNode tree) {
        if (usesPretrainedEncoder(tree)) {
            String sizes = ExperimentLibrary.text(Kind.FRAGMENTS, "bert-base").orElseThrow();
            addEncoderSizes(tree, SettingsTree.parse(sizes, "bert-base"));
        }
    }

    private static boolean usesPretrainedEncoder(ObjectNode tree) {
        return PRETRAINED_TYPES.contains(tree.at("/model/encoder/type").asText());
    }

    private static void addEncoderSizes(ObjectNode tree, ObjectNode source) {
        if (tree.get("model") instanceof ObjectNode model
                && model.get("encoder") instanceof ObjectNode encoder
                && source.path("model").get("encoder") instanceof ObjectNode sizes) {
            sizes.set("type", encoder.get("type")); // Longformer can start from BERT
            SettingsTree.merge(sizes, encoder);
            model.set("encoder", sizes);
        }
    }
}
