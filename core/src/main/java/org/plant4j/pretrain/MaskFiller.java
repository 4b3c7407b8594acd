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
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.MaskedLanguageModelHead;
import org.plant4j.encoder.importer.EncoderInfo;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.text.SubwordTokenizer;
import org.plant4j.text.Vocabulary;

/** Fills hidden words of a text with an encoder's masked-word head: a look at whether it knows the language. */
public final class MaskFiller implements AutoCloseable {

    /** A piece and how likely it stands there. */
    public record MaskPrediction(String piece, double probability) {}

    private final List<String> tokens;
    private final Map<String, Integer> ids = new HashMap<>();
    private final SubwordTokenizer tokenizer;
    private final BertEncoder encoder;
    private final MaskedLanguageModelHead head;

    public MaskFiller(EncoderDirectory folder, Compute compute) {
        EncoderInfo sheet = EncoderInfo.of(folder);
        if (!sheet.hasLanguageModelHead()) {
            throw new UserError(
                    "The encoder has no head that guesses masked words",
                    folder.path().toString(),
                    "import a model that was published with its masked-language-model head");
        }
        tokens = folder.tokens();
        IntStream.range(0, tokens.size()).forEach(id -> ids.put(tokens.get(id), id));
        tokenizer = SubwordTokenizer.open(folder.tokenizer());
        encoder = new BertEncoder(sheet.config(), tokens.size(), compute);
        head = new MaskedLanguageModelHead(
                tokens.size(), sheet.config().hidden(), sheet.config().epsilon(), compute);
        try {
            encoder.loadPretrained(folder.path());
            head.loadPretrained(folder.path());
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** The likeliest pieces for each mask of the text, in its order. */
    public List<List<MaskPrediction>> fill(String text, int count) {
        int[] row = tokenizer.tokenize(text).tokens().stream()
                .map(String::strip) // RoBERTa's mask takes the blanks before it along
                .mapToInt(piece -> ids.getOrDefault(piece, Vocabulary.UNKNOWN))
                .toArray();
        int mask = encoder.config().mask();
        long[] places = IntStream.range(0, row.length)
                .filter(i -> row[i] == mask)
                .asLongStream()
                .toArray();
        if (places.length == 0) {
            throw new UserError(
                    "Nothing is masked in the text", "the text", "write " + tokens.get(mask) + " in place of a word");
        }
        if (row.length > encoder.config().window()) {
            throw new UserError(
                    "The text has " + row.length + " pieces",
                    "the text",
                    "shorten it: the encoder reads " + encoder.config().window() + " at once");
        }
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor states = encoder.encodeRows(List.of(row), false)
                    .withoutSpecialTokens()
                    .hiddenStates(); // (1, T, H)
            Tensor words = Objects.requireNonNull(encoder.parameters().get("embeddings.word_embeddings.weight"));
            List<List<MaskPrediction>> guesses = new ArrayList<>();
            for (long place : places) {
                Tensor logits = head.forward(states.select(1, place), words); // (1, V)
                guesses.add(mostLikely(torch.softmax(logits, 1).cpu().contiguous(), count));
            }
            return guesses;
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
