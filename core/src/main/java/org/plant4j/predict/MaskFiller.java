package org.plant4j.predict;

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
import org.plant4j.encoders.EncoderSheet;
import org.plant4j.nn.BertEncoder;
import org.plant4j.nn.Compute;
import org.plant4j.nn.EncoderFolder;
import org.plant4j.nn.MaskedWordHead;
import org.plant4j.text.PieceTokenizer;
import org.plant4j.text.Vocabulary;

/** Fills hidden words of a text with an encoder's masked-word head: a look at whether it knows the language. */
public final class MaskFiller implements AutoCloseable {

    /** A piece and how likely it stands there. */
    public record Guess(String piece, double probability) {}

    private final List<String> pieces;
    private final Map<String, Integer> ids = new HashMap<>();
    private final PieceTokenizer tokenizer;
    private final BertEncoder encoder;
    private final MaskedWordHead head;

    public MaskFiller(EncoderFolder folder, Compute compute) {
        EncoderSheet sheet = EncoderSheet.of(folder);
        if (!sheet.hasHead()) {
            throw new UserError(
                    "The encoder has no head that guesses masked words",
                    folder.path().toString(),
                    "import a model that was published with its masked-language-model head");
        }
        pieces = folder.pieces();
        IntStream.range(0, pieces.size()).forEach(id -> ids.put(pieces.get(id), id));
        tokenizer = PieceTokenizer.open(folder.tokenizer());
        encoder = new BertEncoder(sheet.sizes(), pieces.size(), compute);
        head = new MaskedWordHead(
                pieces.size(), sheet.sizes().hidden(), sheet.sizes().epsilon(), compute);
        try {
            encoder.start(folder.path());
            head.start(folder.path());
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** The likeliest pieces for each mask of the text, in its order. */
    public List<List<Guess>> fill(String text, int count) {
        int[] row = tokenizer.tokenize(text).words().stream()
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
                    "Nothing is masked in the text", "the text", "write " + pieces.get(mask) + " in place of a word");
        }
        if (row.length > encoder.config().window()) {
            throw new UserError(
                    "The text has " + row.length + " pieces",
                    "the text",
                    "shorten it: the encoder reads " + encoder.config().window() + " at once");
        }
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor states = encoder.rows(List.of(row), false).pieces().states(); // (1, T, H)
            Tensor words = Objects.requireNonNull(encoder.parameters().get("embeddings.word_embeddings.weight"));
            List<List<Guess>> guesses = new ArrayList<>();
            for (long place : places) {
                Tensor logits = head.forward(states.select(1, place), words); // (1, V)
                guesses.add(best(torch.softmax(logits, 1).cpu().contiguous(), count));
            }
            return guesses;
        }
    }

    private List<Guess> best(Tensor probabilities, int count) {
        float[] values = new float[pieces.size()];
        new FloatPointer(probabilities.data_ptr_float()).get(values);
        return IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer id) -> -values[id]))
                .limit(count)
                .map(id -> new Guess(pieces.get(id), values[id]))
                .toList();
    }

    @Override
    public void close() {
        tokenizer.close();
        encoder.close();
        head.close();
    }
}
