package org.plant4j.encoder.importer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.plant4j.UserError;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;

/**
 * Describes an imported encoder: its sizes from {@code encoder.yaml}, its vocabulary and its weights. The config has the
 * widest window and no dropout, which are settings of a model and not of the encoder.
 */
public record EncoderInfo(
        BertEncoder.Config config,
        int vocabularySize,
        List<String> specialTokens,
        String dataType,
        long parameters,
        long weightBytes,
        boolean hasLanguageModelHead) {

    private static final ObjectMapper YAML = YAMLMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    public EncoderInfo {
        specialTokens = List.copyOf(specialTokens);
    }

    public static EncoderInfo of(EncoderDirectory directory) {
        directory.verify();
        BertEncoder.Config sizes = sizes(directory.configFile());
        Map<String, StoredTensor> tensorsByName = SafetensorsFile.read(directory.weights());
        Collection<StoredTensor> tensors = tensorsByName.values();
        List<String> tokens = directory.tokens();
        List<String> special = new ArrayList<>(tokens.subList(0, 2));
        List.of(sizes.begin(), sizes.end(), sizes.mask()).forEach(id -> special.add(tokens.get(id)));
        try {
            return new EncoderInfo(
                    sizes,
                    tokens.size(),
                    special,
                    tensors.iterator().next().type().toString(),
                    tensors.stream().mapToLong(StoredTensor::elementCount).sum(),
                    Files.size(directory.weights()),
                    tensorsByName.keySet().containsAll(BertTensorNames.HEAD));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BertEncoder.Config sizes(Path file) {
        try {
            JsonNode section =
                    YAML.readTree(Files.readString(file)).path("model").path("encoder");
            ObjectNode sizes = YAML.createObjectNode();
            section.properties().forEach(size -> sizes.set(size.getKey(), size.getValue()));
            int widest = BertEncoder.Config.maxWindow(
                    sizes.path("positions").asInt(),
                    sizes.path("position_offset").asInt());
            sizes.put("window", widest).put("overlap", 0).put("dropout", 0).remove(List.of("type", "attention_window"));
            return YAML.treeToValue(sizes, BertEncoder.Config.class);
        } catch (JsonProcessingException | NoSuchFileException e) {
            throw new UserError(
                    "Cannot read the sizes of the encoder",
                    file.toString(),
                    "import it again: plant encoder import SOURCE --output DIR",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
