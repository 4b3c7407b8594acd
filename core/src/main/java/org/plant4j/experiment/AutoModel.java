package org.plant4j.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.plant4j.Device;
import org.plant4j.Precision;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.settings.SettingsBinder;
import org.plant4j.inspection.CorpusFacts;
import org.plant4j.inspection.ModelAdvice;
import org.plant4j.tensor.Compute;

/** Chooses the model of an experiment that extends {@code auto}, from its corpus and what this machine has. */
public final class AutoModel {

    static final String NAME = "auto";

    /** Minutes that training may take if the experiment does not say. */
    public static final double DEFAULT_MINUTES = 120;

    private AutoModel() {}

    /** The choice for composed settings, which have a corpus and perhaps code sets. */
    static ModelAdvice choose(ObjectNode tree, String where) {
        CorpusConfig corpus = corpus(tree, where);
        boolean descriptions =
                tree.path("code_sets").size() > 0 || corpus.format().equals("demo");
        JsonNode minutes = tree.path(NAME).path("minutes");
        if (!minutes.isNumber() || minutes.asDouble() <= 0) {
            throw new UserError(
                    "Setting 'auto.minutes' does not fit", where, "use the minutes that training may take, such as 10");
        }
        CorpusFacts facts = CorpusFacts.of(
                CorpusFormats.openSplits(corpus, BadRowHandler.skip()).train());
        Device device = Device.of(tree.path("compute").path("device").asText(Device.AUTO.toString()));
        return ModelAdvice.choose(facts, means(descriptions, device, minutes.asDouble()));
    }

    private static CorpusConfig corpus(ObjectNode tree, String where) {
        record CorpusOnly(CorpusConfig corpus) {}
        ObjectNode only = tree.objectNode();
        only.set("corpus", tree.path("corpus").deepCopy());
        ExperimentFile.addCorpusDefaults(only);
        return SettingsBinder.bind(only, CorpusOnly.class, where, List.of()).corpus();
    }

    /** What this machine has, as far as the device may use it. */
    public static ModelAdvice.Means means(boolean descriptions, Device device, double minutes) {
        String encoders = System.getenv().getOrDefault("PLANT4J_ENCODERS", "encoders");
        boolean encoder = Files.exists(Path.of(encoders, "mbert", "encoder.yaml"));
        return new ModelAdvice.Means(
                descriptions,
                encoder,
                () -> device != Device.CPU
                        && Compute.of(Device.AUTO, Precision.FLOAT32).cuda(),
                minutes);
    }
}
