package org.plant4j.encoder;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;

/**
 * Embeds short texts as unit vectors: the mean of the hidden states of a BERT encoder over all tokens, special ones included, so
 * that the dot product of two texts is their cosine. Encoders such as MiniLM were trained for that (Reimers, Gurevych:
 * Sentence-BERT, EMNLP 2019).
 */
public final class SentenceEncoder implements AutoCloseable {

    /** Padded tokens encoded at a time. */
    private static final int BATCH_TOKENS = 4096;

    private final BertEncoder encoder;
    private final int vocabularySize;

    private SentenceEncoder(BertEncoder.Config config, int vocabularySize) {
        this.vocabularySize = vocabularySize;
        encoder = new BertEncoder(config, vocabularySize, Compute.CPU);
    }

    /** An encoder with the weights of a pretrained one. */
    public static SentenceEncoder open(EncoderDirectory directory, BertEncoder.Config config) {
        SentenceEncoder sentences =
                new SentenceEncoder(config, directory.tokens().size());
        sentences.encoder.loadPretrained(directory.path());
        return sentences;
    }

    /** An encoder with the weights that {@link #save} wrote. */
    public static SentenceEncoder load(Path file, BertEncoder.Config config, int vocabularySize) {
        SentenceEncoder sentences = new SentenceEncoder(config, vocabularySize);
        Checkpoint.readVerified(file, sentences.encoder.parameters());
        return sentences;
    }

    public void save(Path file) {
        Checkpoint.writeWithChecksum(file, encoder.parameters(), Map.of());
    }

    public BertEncoder.Config config() {
        return encoder.config();
    }

    /** Number of tokens of the encoder. */
    public int vocabularySize() {
        return vocabularySize;
    }

    /** A vector per text, given as token ids; zeros for a text without tokens. What does not fit into a window is left out. */
    public float[][] embed(List<int[]> texts) {
        float[][] vectors = new float[texts.size()][];
        int[] byLength = IntStream.range(0, vectors.length)
                .boxed()
                .sorted(Comparator.comparingInt(i -> texts.get(i).length))
                .mapToInt(Integer::intValue)
                .toArray();
        int from = 0;
        while (from < byLength.length && texts.get(byLength[from]).length == 0) {
            vectors[byLength[from++]] = new float[encoder.hiddenSize()];
        }
        while (from < byLength.length) {
            List<int[]> rows = new ArrayList<>();
            for (int i = from; i < byLength.length; i++) {
                int[] row = window(texts.get(byLength[i]));
                if (!rows.isEmpty() && (rows.size() + 1) * (row.length + 2) > BATCH_TOKENS) {
                    break;
                }
                rows.add(row);
            }
            float[] values = embedRows(rows);
            for (int row = 0; row < rows.size(); row++) {
                vectors[byLength[from + row]] =
                        Arrays.copyOfRange(values, row * encoder.hiddenSize(), (row + 1) * encoder.hiddenSize());
            }
            from += rows.size();
        }
        return vectors;
    }

    private int[] window(int[] text) {
        return Arrays.copyOf(text, Math.min(text.length, config().maxWindow()));
    }

    /** Unit vectors (N · H) of rows with at least one token. */
    private float[] embedRows(List<int[]> rows) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            BertEncoder.EncodedRows encoded = encoder.encodeRows(rows, false);
            Tensor mask = encoded.mask().to(torch.ScalarType.Float).unsqueeze(2); // (N, M, 1)
            Tensor sum = encoded.hiddenStates().mul(mask).sum(1); // (N, H)
            Tensor norm = sum.mul(sum)
                    .sum(new long[] {1}, true, new ScalarTypeOptional())
                    .sqrt();
            Tensor vectors = sum.div(norm.clamp_min(new Scalar(1e-12))).contiguous();
            float[] values = new float[rows.size() * encoder.hiddenSize()];
            new FloatPointer(vectors.data_ptr_float()).get(values);
            return values;
        }
    }

    @Override
    public void close() {
        encoder.close();
    }
}
