package org.plant4j.pretrain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.UserError;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.MaskedLanguageModelHead;
import org.plant4j.encoder.importer.EncoderInfo;
import org.plant4j.tensor.Compute;
import org.plant4j.text.SubwordTokenizer;
import org.plant4j.text.Vocabulary;

/** Predicts the masked tokens of a text with the language model head of a pretrained encoder. */
public final class MaskFiller implements AutoCloseable {

    /** A token and its probability at a masked position. */
    public record MaskPrediction(String token, double probability) {}

    private final List<String> tokens;
    private final Map<String, Integer> ids = new HashMap<>();
    private final SubwordTokenizer tokenizer;
    private final BertEncoder encoder;
    private final MaskedLanguageModelHead head;

    public MaskFiller(EncoderDirectory directory, Compute compute) {
        EncoderInfo info = EncoderInfo.of(directory);
        if (!info.hasLanguageModelHead()) {
            throw new UserError(
                    "The encoder has no masked language model head",
                    directory.path().toString(),
                    "import a model that was published with its masked-language-model head");
        }
        tokens = directory.tokens();
        IntStream.range(0, tokens.size()).forEach(id -> ids.put(tokens.get(id), id));
        tokenizer = SubwordTokenizer.open(directory.tokenizer());
        encoder = new BertEncoder(info.config(), tokens.size(), compute);
        head = new MaskedLanguageModelHead(
                tokens.size(), info.config().hidden(), info.config().epsilon(), compute);
        try {
            encoder.loadPretrained(directory.path());
            head.loadPretrained(directory.path());
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** The {@code count} most likely tokens for each mask of the text, in order. */
    public List<List<MaskPrediction>> fill(String text, int count) {
        int[] row = tokenizer.tokenize(text).tokens().stream()
                .map(String::strip) // RoBERTa's mask token includes the blanks before it
                .mapToInt(token -> ids.getOrDefault(token, Vocabulary.UNKNOWN))
                .toArray();
        int mask = encoder.config().mask();
        long[] positions = IntStream.range(0, row.length)
                .filter(i -> row[i] == mask)
                .asLongStream()
                .toArray();
        if (positions.length == 0) {
            throw new UserError(
                    "The text has no mask token", "the text", "write " + tokens.get(mask) + " in place of a word");
        }
        if (row.length > encoder.config().window()) {
            throw new UserError(
                    "The text has " + row.length + " tokens",
                    "the text",
                    "shorten it to " + encoder.config().window() + " tokens, the window of the encoder");
        }
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor states = encoder.encodeRows(List.of(row), false)
                    .withoutSpecialTokens()
                    .hiddenStates(); // (1, T, H)
            Tensor embedding = Objects.requireNonNull(encoder.parameters().get("embeddings.word_embeddings.weight"));
            List<List<MaskPrediction>> predictions = new ArrayList<>();
            for (long position : positions) {
                Tensor logits = head.forward(states.select(1, position), embedding); // (1, V)
                predictions.add(mostLikely(torch.softmax(logits, 1).cpu().contiguous(), count));
            }
            return predictions;
        }
    }

    private List<MaskPrediction> mostLikely(Tensor probabilities, int count) {
        float[] values = new float[tokens.size()];
        new FloatPointer(probabilities.data_ptr_float()).get(values);
        return IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer id) -> -values[id]))
                .limit(count)
                .map(id -> new MaskPrediction(tokens.get(id), values[id]))
                .toList();
    }

    @Override
    public void close() {
        tokenizer.close();
        encoder.close();
        head.close();
    }
}
