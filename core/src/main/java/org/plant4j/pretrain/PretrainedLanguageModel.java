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
import org.plant4j.support.UserError;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.text.Vocabulary;

/**
 * A language model learned elsewhere or earlier, over words of its own. Layers are taken as they are; a word takes its
 * vector by its name, as it is written or in lower case, and a word that is new takes the mean of all (Howard, Ruder
 * 2018).
 *
 * <p>Names are fastai's, of whole models and of encoders alone, or those that PyTorch gives the same layers. A second copy
 * of what is tied or dropped ({@code encoder_dp}, {@code decoder.weight}) is not read.
 */
final class PretrainedLanguageModel {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> UNKNOWN = List.of("<unk>", "xxunk", "[UNK]");
    private static final String WORDS = "encoder.weight";

    private final Path file;
    private final Path vocabularyFile;
    private final Map<String, Tensor> tensors;
    private final Map<String, Integer> places = new HashMap<>();
    private final int words;

    /** Its tensors belong to the open scope. */
    PretrainedLanguageModel(LanguageModelConfig.PretrainedWeights start) {
        file = Path.of(start.weights());
        vocabularyFile = Path.of(start.vocabulary());
        List<String> names = names(vocabularyFile);
        words = names.size();
        for (int place = 0; place < words; place++) {
            places.putIfAbsent(names.get(place), place);
        }
        tensors = Checkpoint.readMatching(
                file, name -> !name.contains("encoder_dp.") && !name.endsWith("decoder.weight"));
    }

    /** How many words of the vocabulary found their vector. */
    int copyTo(LanguageModel model, Vocabulary vocabulary) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            int[] from = from(vocabulary);
            int layers = 0;
            for (Map.Entry<String, Tensor> entry : model.encoder().parameters().entrySet()) {
                String name = entry.getKey();
                Tensor target = entry.getValue();
                Tensor source = find(name).orElseThrow(() -> unfit("has no tensor " + name));
                if (name.equals(WORDS)) {
                    fillWords(target, source, from);
                } else {
                    fit(name, source, target.shape());
                    target.copy_(source);
                    layers += name.endsWith("_raw") ? 1 : 0;
                }
            }
            if (find("rnns." + layers + ".weight_hh_l0_raw").isPresent()) {
                throw unfit("has more than " + layers + " layers");
            }
            Tensor bias = Objects.requireNonNull(model.parameters().get(LanguageModel.BIAS_NAME));
            find("decoder.bias").ifPresent(source -> fillWords(bias, source, from));
            return (int) Arrays.stream(from).filter(place -> place < words).count();
        }
    }

    /** For each word of the vocabulary its row in the checkpoint; new words take the row after the last. */
    private int[] from(Vocabulary vocabulary) {
        return IntStream.range(0, vocabulary.size())
                .map(id -> switch (id) {
                    case Vocabulary.PADDING -> words;
                    case Vocabulary.UNKNOWN ->
                        UNKNOWN.stream()
                                .filter(places::containsKey)
                                .findFirst()
                                .map(places::get)
                                .orElse(words);
                    default -> place(vocabulary.token(id));
                })
                .toArray();
    }

    private int place(String word) {
        Integer exact = places.get(word);
        return exact != null ? exact : places.getOrDefault(word.toLowerCase(Locale.ROOT), words);
    }

    /** A row for each word, padding's stays zero. */
    private void fillWords(Tensor target, Tensor source, int[] from) {
        if (source.size(0) != words) {
            throw new UserError(
                    "The vocabulary has " + words + " words and the weights " + source.size(0),
                    vocabularyFile.toString(),
                    "name the vocabulary that " + file + " was trained with");
        }
        long[] shape = target.shape();
        shape[0] = words;
        fit(WORDS, source, shape);
        Tensor mean = source.mean(new long[] {0}, true, new ScalarTypeOptional());
        Tensor rows = torch.cat(new TensorVector(source, mean), 0);
        target.copy_(rows.index_select(
                0, Tensor.create(Arrays.stream(from).asLongStream().toArray())));
        target.select(0, Vocabulary.PADDING).zero_();
    }

    private void fit(String name, Tensor source, long[] shape) {
        if (!Arrays.equals(source.shape(), shape)) {
            throw unfit(
                    "has " + name + " of " + Arrays.toString(source.shape()) + ", expected " + Arrays.toString(shape));
        }
    }

    private UserError unfit(String how) {
        return new UserError(
                "The language model does not fit: it " + how,
                file.toString(),
                "set lm.embedding, lm.hidden and lm.layers as it was trained with");
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
                Vocabulary own = Vocabulary.read(file);
                return IntStream.range(0, own.size()).mapToObj(own::token).toList();
            }
            if (!path.endsWith(".json")) {
                return Files.readAllLines(file);
            }
            JsonNode list = JSON.readTree(Files.readAllBytes(file));
            if (!list.isArray()) {
                throw unreadable(file);
            }
            List<String> names = new ArrayList<>();
            list.forEach(name -> names.add(name.asText()));
            return names;
        } catch (JsonProcessingException e) {
            throw unreadable(file);
        } catch (IOException e) {
            throw new UserError(
                    "The vocabulary of the language model cannot be read",
                    file.toString(),
                    "check lm.start.vocabulary; it must be UTF-8 text",
                    e);
        }
    }

    private static UserError unreadable(Path file) {
        return new UserError(
                "The vocabulary is not a JSON list", file.toString(), "write it as [\"word\", …], or one word a line");
    }
}
