package org.plant4j.pretrain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.UserError;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.text.Vocabulary;

/**
 * A pretrained language model over another vocabulary. Layers are copied. A token gets the vector of the same token, as
 * it is or in lower case; a token that is not in the pretrained vocabulary gets the mean vector (Howard, Ruder 2018).
 *
 * <p>Parameters have fastai's names, of a whole model or of an encoder, or those of PyTorch for the same layers. Copies
 * of tied or dropped-out weights ({@code encoder_dp}, {@code decoder.weight}) are not read.
 */
final class PretrainedLanguageModel {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> UNKNOWN = List.of("<unk>", "xxunk", "[UNK]");
    private static final String EMBEDDING = "encoder.weight";

    private final Path file;
    private final Path vocabularyFile;
    private final Map<String, Tensor> tensors;
    private final Map<String, Integer> rows = new HashMap<>();
    private final int size;

    /** Reads the tensors, which belong to the open scope. */
    PretrainedLanguageModel(LanguageModelConfig.PretrainedWeights start) {
        file = Path.of(start.weights());
        vocabularyFile = Path.of(start.vocabulary());
        List<String> names = names(vocabularyFile);
        size = names.size();
        for (int row = 0; row < size; row++) {
            rows.putIfAbsent(names.get(row), row);
        }
        tensors = Checkpoint.readMatching(
                file, name -> !name.contains("encoder_dp.") && !name.endsWith("decoder.weight"));
    }

    /** Copies the weights into a model; returns the number of tokens that both vocabularies contain. */
    int copyTo(LanguageModel model, Vocabulary vocabulary) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            int[] sourceRows = sourceRows(vocabulary);
            int layers = 0;
            for (Map.Entry<String, Tensor> entry : model.encoder().parameters().entrySet()) {
                String name = entry.getKey();
                Tensor target = entry.getValue();
                Tensor source = find(name).orElseThrow(() -> mismatch("tensor " + name + " is missing"));
                if (name.equals(EMBEDDING)) {
                    fillRows(target, source, sourceRows);
                } else {
                    checkShape(name, source, target.shape());
                    target.copy_(source);
                    layers += name.endsWith("_raw") ? 1 : 0;
                }
            }
            if (find("rnns." + layers + ".weight_hh_l0_raw").isPresent()) {
                throw mismatch("it has more than " + layers + " layers");
            }
            Tensor bias = Objects.requireNonNull(model.parameters().get(LanguageModel.BIAS_NAME));
            find("decoder.bias").ifPresent(source -> fillRows(bias, source, sourceRows));
            return (int) Arrays.stream(sourceRows).filter(row -> row < size).count();
        }
    }

    /** Row of each token of the vocabulary in the checkpoint; that after the last stands for unknown tokens. */
    private int[] sourceRows(Vocabulary vocabulary) {
        return IntStream.range(0, vocabulary.size())
                .map(id -> switch (id) {
                    case Vocabulary.PADDING -> size;
                    case Vocabulary.UNKNOWN ->
                        UNKNOWN.stream()
                                .filter(rows::containsKey)
                                .findFirst()
                                .map(rows::get)
                                .orElse(size);
                    default -> row(vocabulary.token(id));
                })
                .toArray();
    }

    private int row(String token) {
        Integer exact = rows.get(token);
        return exact != null ? exact : rows.getOrDefault(token.toLowerCase(Locale.ROOT), size);
    }

    /** Fills the rows of all tokens; that of padding stays zero. */
    private void fillRows(Tensor target, Tensor source, int[] sourceRows) {
        if (source.size(0) != size) {
            throw new UserError(
                    "The vocabulary has " + size + " tokens, but the weights have " + source.size(0),
                    vocabularyFile.toString(),
                    "use the vocabulary that " + file + " was trained with");
        }
        long[] shape = target.shape();
        shape[0] = size;
        checkShape(EMBEDDING, source, shape);
        Tensor mean = source.mean(new long[] {0}, true, new ScalarTypeOptional());
        Tensor extended = torch.cat(new TensorVector(source, mean), 0);
        target.copy_(extended.index_select(
                0, Tensor.create(Arrays.stream(sourceRows).asLongStream().toArray())));
        target.select(0, Vocabulary.PADDING).zero_();
    }

    private void checkShape(String name, Tensor source, long[] shape) {
        if (!Arrays.equals(source.shape(), shape)) {
            throw mismatch("tensor " + name + " has shape " + Arrays.toString(source.shape()) + ", expected "
                    + Arrays.toString(shape));
        }
    }

    private UserError mismatch(String why) {
        return new UserError(
                "The language model does not match the configuration: " + why,
                file.toString(),
                "set language_model.embedding, language_model.hidden and language_model.layers to the values it was trained with");
    }

    private Optional<Tensor> find(String name) {
        Stream<String> variants = Stream.of(name);
        if (name.endsWith(".weight_hh_l0_raw")) {
            String layer = name.substring(0, name.length() - "weight_hh_l0_raw".length());
            variants = Stream.of(
                    name, layer + "module.weight_hh_l0_raw", layer + "module.weight_hh_l0", layer + "weight_hh_l0");
        } else if (name.contains(".module.")) {
            variants = Stream.of(name, name.replace(".module.", "."));
        }
        return variants.flatMap(variant -> Stream.of(variant, "0." + variant, "1." + variant))
                .filter(tensors::containsKey)
                .findFirst()
                .map(tensors::get);
    }

    private static List<String> names(Path file) {
        try {
            String path = file.toString();
            if (path.endsWith(".tsv")) {
                Vocabulary vocabulary = Vocabulary.read(file);
                return IntStream.range(0, vocabulary.size())
                        .mapToObj(vocabulary::token)
                        .toList();
            }
            if (!path.endsWith(".json")) {
                return Files.readAllLines(file);
            }
            JsonNode list = JSON.readTree(Files.readAllBytes(file));
            if (!list.isArray()) {
                throw unreadable(file);
            }
            List<String> names = new ArrayList<>();
            for (JsonNode name : list) {
                if (!name.isTextual()) {
                    throw unreadable(file);
                }
                names.add(name.textValue());
            }
            return names;
        } catch (JsonProcessingException e) {
            throw unreadable(file);
        } catch (IOException e) {
            throw new UserError(
                    "Cannot read the vocabulary of the language model",
                    file.toString(),
                    "check language_model.start.vocabulary; it must be UTF-8 text",
                    e);
        }
    }

    private static UserError unreadable(Path file) {
        return new UserError(
                "The vocabulary is not a JSON list of texts",
                file.toString(),
                "write it as [\"token\", …], or as text with one token per line");
    }
}
