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
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.support.UserError;

/**
 * What an imported encoder is: the sizes in its {@code encoder.yaml}, pieces, weights. It reads in the widest windows and
 * without dropout, as how documents are read with it is the models' to say.
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
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    public EncoderInfo {
        specialTokens = List.copyOf(specialTokens);
    }

    public static EncoderInfo of(EncoderDirectory folder) {
        folder.requireComplete();
        BertEncoder.Config sizes = sizes(folder.configFile());
        Map<String, StoredTensor> named = SafetensorsFile.read(folder.weights());
        Collection<StoredTensor> tensors = named.values();
        List<String> pieces = folder.tokens();
        List<String> special = new ArrayList<>(pieces.subList(0, 2));
        List.of(sizes.begin(), sizes.end(), sizes.mask()).forEach(id -> special.add(pieces.get(id)));
        try {
            return new EncoderInfo(
                    sizes,
                    pieces.size(),
                    special,
                    tensors.iterator().next().type().toString(),
                    tensors.stream().mapToLong(StoredTensor::elementCount).sum(),
                    Files.size(folder.weights()),
                    named.keySet().containsAll(BertTensorNames.HEAD));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BertEncoder.Config sizes(Path file) {
        try {
            JsonNode written =
                    YAML.readTree(Files.readString(file)).path("model").path("encoder");
            ObjectNode sizes = YAML.createObjectNode();
            written.properties().forEach(size -> sizes.set(size.getKey(), size.getValue()));
            int widest = BertEncoder.Config.maxWindow(
                    sizes.path("positions").asInt(),
                    sizes.path("position_offset").asInt());
            sizes.put("window", widest).put("overlap", 0).put("dropout", 0).remove("type");
            return YAML.treeToValue(sizes, BertEncoder.Config.class);
        } catch (JsonProcessingException | NoSuchFileException e) {
            throw new UserError(
                    "The sizes of the encoder cannot be read",
                    file.toString(),
                    "make the folder anew: plant encoder import SOURCE --output FOLDER",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
