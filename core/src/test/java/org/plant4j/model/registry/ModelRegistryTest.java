package org.plant4j.model.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.ModelRegistry;
import org.plant4j.model.ModelType;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.baseline.Caml;
import org.plant4j.tensor.Compute;

public class ModelRegistryTest {

    /** Records the networks that a config builds. */
    private record RecordingConfig(NetworkConfig config, List<LabelNetwork<?>> built) implements NetworkConfig {

        @Override
        public int embedding() {
            return config.embedding();
        }

        @Override
        public LabelNetwork<?> build(int vocabularySize, int labels, Compute compute) {
            built.add(config.build(vocabularySize, labels, compute));
            return built.get(built.size() - 1);
        }
    }

    @Test
    void everyConfigurationIsWrittenAndReadWithItsName() throws Exception {
        ObjectMapper json = new ObjectMapper().registerModule(new Jdk8Module());
        assertThat(ModelRegistry.names())
                .contains("plant", "linear", "ensemble")
                .doesNotContain("trained-ensemble");
        for (ModelType type : ModelRegistry.types()) {
            if (type.example().isPresent()) {
                ModelConfig config = type.example().get().get();
                String text = json.writeValueAsString(config);
                assertThat(text).startsWith("{\"type\":\"" + type.name() + "\"");
                assertThat(json.readValue(text, ModelConfig.class)).isEqualTo(config);
            }
        }
    }

    @Test
    void anUnknownNameIsRejected() {
        assertThatThrownBy(() -> new ObjectMapper().readValue("{\"type\": \"plnat\"}", ModelConfig.class))
                .isInstanceOf(InvalidTypeIdException.class);
    }

    @Test
    void aNetworkWhoseWeightsCannotBeReadIsClosed(@TempDir Path empty) {
        RecordingConfig config = new RecordingConfig(new Caml.Config(4, 3, 3, 0, 0, -1), new ArrayList<>());
        assertThatThrownBy(() -> config.load(empty, 5, TinyCorpus.labels(2, 0), Compute.CPU))
                .isInstanceOf(UserError.class);
        assertThat(config.built())
                .singleElement()
                .satisfies(network ->
                        assertThat(network.parameters().values()).isNotEmpty().allMatch(tensor -> tensor.isNull()));
    }
}
