package org.plant4j.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.experiment.ExperimentLibrary.Kind;
import org.plant4j.experiment.settings.SettingsPaths;
import org.plant4j.experiment.settings.SettingsTree;
import org.plant4j.support.DidYouMean;

/** Loads a settings file with everything that it extends. */
final class SettingsLoader {

    private final String what;
    private final List<Kind> kinds;
    private final ObjectNode overrides;
    private final ExtendsChain chain;

    private SettingsLoader(String what, List<Kind> kinds, ObjectNode overrides, ExtendsChain chain) {
        this.what = what;
        this.kinds = kinds;
        this.overrides = overrides;
        this.chain = chain;
    }

    /**
     * Loads models. {@code overrides} maps names of models to settings of a corpus; they apply right after the model's
     * own settings, so that models that extend it inherit them.
     */
    static SettingsLoader models(ObjectNode overrides, ExtendsChain chain) {
        return new SettingsLoader("experiment", List.of(Kind.MODELS, Kind.FRAGMENTS), overrides, chain);
    }

    static SettingsLoader corpora(ExtendsChain chain) {
        return new SettingsLoader("corpus", List.of(Kind.CORPORA), SettingsTree.YAML.createObjectNode(), chain);
    }

    /**
     * @param named a name of the library, or a YAML file relative to the directory
     * @param referrer the file that names it, or the command line, for error messages
     */
    ObjectNode load(String named, Path directory, String referrer) {
        String name = kinds.contains(Kind.MODELS) ? chain.resolve(named) : named;
        Path file = SettingsPaths.resolve(directory, name);
        if (SettingsPaths.isFile(name) && (Files.exists(file) || !name.contains("@"))) {
            Path parent = file.resolveSibling("");
            ObjectNode own = SettingsTree.read(file, missing(file));
            SettingsPaths.resolve(own, parent);
            return extend(own, file.toString(), name, parent);
        }
        if (name.contains("@") && kinds.contains(Kind.MODELS)) {
            return ExperimentComposer.compose(ExperimentReference.parse(name), directory, referrer, chain);
        }
        return extend(SettingsTree.parse(packaged(name, referrer), name), name, name, directory);
    }

    private String packaged(String name, String referrer) {
        return kinds.stream()
                .map(kind -> ExperimentLibrary.text(kind, name))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> new UserError(
                        "Unknown " + (what.equals("corpus") ? what : "model") + " '" + name + "'",
                        referrer,
                        DidYouMean.remedy(name, ExperimentLibrary.names(kinds.get(0)))
                                + " (or give the path of a YAML file, ending in .yaml)"));
    }

    /** Merges a file over the files it extends, later ones over earlier ones. */
    private ObjectNode extend(ObjectNode own, String id, String name, Path directory) {
        chain.begin(what, id);
        ObjectNode merged = SettingsTree.YAML.createObjectNode();
        for (String parent : parents(own, id)) {
            SettingsTree.merge(merged, load(parent, directory, id));
        }
        SettingsTree.merge(merged, own);
        if (overrides.get(ExperimentReference.baseName(name)) instanceof ObjectNode override) {
            SettingsTree.merge(merged, override);
        }
        chain.end();
        return merged;
    }

    private static List<String> parents(ObjectNode own, String id) {
        JsonNode named = own.remove("extends");
        if (named == null || named.isNull()) {
            return List.of();
        }
        List<String> parents = new ArrayList<>();
        for (JsonNode parent : named.isArray() ? named : List.of(named)) {
            if (!parent.isTextual()) {
                throw new UserError(
                        "Setting 'extends': " + parent + " does not fit",
                        id,
                        "use a name, or a list such as [laat, passages]");
            }
            parents.add(parent.textValue());
        }
        return parents;
    }

    private UserError missing(Path file) {
        return file.endsWith("encoder.yaml")
                ? missingEncoder(file.resolveSibling(""))
                : new UserError(
                        "The " + what + " file does not exist",
                        file.toString(),
                        "check the path; packaged files are named without .yaml, such as plant@demo");
    }

    /** Encoder directories are created by importing an encoder, so a fresh clone has none. */
    static UserError missingEncoder(Path directory) {
        return new UserError(
                "The pretrained encoder does not exist",
                directory.resolve("encoder.yaml").normalize().toString(),
                "import it: plant encoder import SOURCE --output " + directory.normalize() + " (docs/encoders.md)");
    }
}
