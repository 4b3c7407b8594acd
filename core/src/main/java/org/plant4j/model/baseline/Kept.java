package org.plant4j.model.baseline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.UserError;
import org.plant4j.encoder.AnswerHead;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.encoder.LongformerEncoder;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.SharedBias;
import org.plant4j.model.EncoderNetwork;
import org.plant4j.model.EncoderNetworkConfig;
import org.plant4j.model.Encoding;
import org.plant4j.model.description.DescriptionFile;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.train.GradientCheckpoint;
import org.plant4j.train.RowEncoder;

/**
 * KEPTLongformer: a prompt with the descriptions of all labels, a mask token after each, precedes the document. Longformer
 * reads both, with global attention on the prompt, and the language model head answers at each mask token: the logit of the
 * label is the logit of "yes" minus that of "no".
 *
 * <p>Yang, Wang, Rawat, Mitra, Yu: Knowledge Injected Prompt Based Fine-tuning for Multi-label Few-shot ICD Coding, Findings of
 * EMNLP 2022, section 3; reference implementation: <a href="https://github.com/whaleloops/KEPT">KEPT</a>, {@code model.py}.
 * There the loss at a mask token is the cross-entropy over the vocabulary; here it is that over both answers, which is the
 * binary cross-entropy of the logit. Descriptions are separated by the mask tokens alone, prompt and document by the end token.
 */
public final class Kept extends EncoderNetwork<Kept.Encoded> {

    /**
     * Settings of the network.
     *
     * @param maxLabels labels whose descriptions one prompt may hold
     * @param labelTokens tokens of a description in the prompt
     * @param yesToken word whose token means that the label applies
     * @param noToken word whose token means that it does not
     * @param checkpointTokens padded tokens, prompts included, above which training uses gradient checkpointing
     */
    public record Config(
            EncoderConfig.Longformer encoder,
            int maxLabels,
            int labelTokens,
            String yesToken,
            String noToken,
            int checkpointTokens,
            double initialBias)
            implements EncoderNetworkConfig {
        public Config {
            Arguments.atLeast(1, "max_labels", maxLabels);
            Arguments.atLeast(1, "label_tokens", labelTokens);
            Arguments.atLeast(1, "checkpoint_tokens", checkpointTokens);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            LongformerEncoder.Config encoder =
                    new LongformerEncoder.Config(2, 16, 2, 32, 12, 0, 1, 1e-5, 27, 28, 29, 4, 0);
            return new Config(new EncoderConfig.Longformer(encoder), 6, 4, "yes", "no", 4096, -1);
        }

        @Override
        public boolean usesDescriptions() {
            return true;
        }

        @Override
        public Kept build(int vocabularySize, int labels, Compute compute) {
            if (labels > maxLabels) {
                throw new UserError(
                        "KEPTLongformer reads the descriptions of all labels in one prompt: " + labels
                                + " labels are too many",
                        "model.max_labels",
                        "keep at most " + maxLabels + " labels, with a larger preprocessing.min_label_documents or a"
                                + " corpus of frequent codes such as mimic3-top50");
            }
            return new Kept(this, vocabularySize, labels, compute);
        }
    }

    /**
     * Logits of all labels.
     *
     * @param logits (L, B)
     * @param attention weights of the labels' mask tokens over the document, (L, B, T); empty in training
     */
    public record Encoded(Tensor logits, Optional<Tensor> attention, List<GradientCheckpoint> checkpoints)
            implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(function.apply(logits), attention.map(function), checkpoints);
        }
    }

    private final Config config;
    private final LongformerEncoder longformer;
    private final AnswerHead head;
    private final SharedBias bias;
    private final RowEncoder rowEncoder;
    private List<int[]> descriptions = List.of();
    private int[] prompt = {};
    private long[] maskPositions = {}; // in a row with its begin token

    Kept(Config config, int vocabularySize, int labels, Compute compute) {
        super(config, false, 0, vocabularySize, labels, compute);
        this.config = config;
        longformer = (LongformerEncoder) encoder();
        LongformerEncoder.Config sizes = longformer.config();
        head = submodule("head", new AnswerHead(sizes.hidden(), sizes.epsilon(), compute));
        bias = submodule("answer", new SharedBias(labels, config.initialBias(), compute));
        rowEncoder = new RowEncoder(
                (documents, training) -> logits(encodeRows(documents, training)).t(), // (N, L)
                config.checkpointTokens(),
                compute);
    }

    @Override
    public void loadPretrained(Path pretrained) {
        super.loadPretrained(pretrained);
        head.loadPretrained(pretrained, embedding(), config.yesToken(), config.noToken());
    }

    @Override
    public void setDescriptions(List<int[]> labelDescriptions) {
        Arguments.check(labelDescriptions.size() == labels(), "descriptions", labelDescriptions.size(), "" + labels());
        descriptions = labelDescriptions.stream()
                .map(tokens -> Arrays.copyOf(tokens, Math.min(tokens.length, config.labelTokens())))
                .toList();
        LongformerEncoder.Config sizes = longformer.config();
        List<Integer> tokens = new ArrayList<>();
        maskPositions = new long[labels()];
        for (int label = 0; label < labels(); label++) {
            Arrays.stream(descriptions.get(label)).forEach(tokens::add);
            tokens.add(sizes.mask());
            maskPositions[label] = tokens.size(); // the begin token comes before
        }
        tokens.add(sizes.end());
        prompt = tokens.stream().mapToInt(token -> token).toArray();
    }

    /** The begin token and the prompt. */
    private int globalTokens() {
        return prompt.length + 1;
    }

    private LongformerEncoder.EncodedRows encodeRows(List<int[]> documents, boolean training) {
        List<int[]> rows = documents.stream()
                .map(document -> IntStream.concat(Arrays.stream(prompt), Arrays.stream(document))
                        .toArray())
                .toList();
        return longformer.encodeRows(rows, globalTokens(), training);
    }

    /** (L, N). */
    private Tensor logits(LongformerEncoder.EncodedRows rows) {
        return head.forward(rows.hiddenStates().index_select(1, maskPositions()))
                .t();
    }

    private Tensor maskPositions() {
        return compute().toDevice(Tensor.create(maskPositions));
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        LongformerEncoder.EncodedRows rows = encodeRows(batch.documents(), batch.training());
        return new Encoded(logits(rows), Optional.of(attention(rows, batch)), List.of());
    }

    /** The weights of the mask tokens over the document, without gradients: (L, B, T). */
    private Tensor attention(LongformerEncoder.EncodedRows rows, Batch batch) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            return longformer
                    .globalWeights(rows, globalTokens())
                    .index_select(1, maskPositions()) // (B, L, M)
                    .narrow(2, globalTokens(), batch.width())
                    .mul(batch.mask().unsqueeze(1)) // without the end token of a shorter document
                    .transpose(0, 1);
        }
    }

    @Override
    public Encoded encodeForTraining(Batch batch, EncoderState before) {
        List<int[]> rows = batch.documents();
        return rowEncoder
                .checkpoint(rows, batch.training())
                .map(checkpoint -> new Encoded(checkpoint.value().t(), Optional.empty(), List.of(checkpoint)))
                .orElseGet(() ->
                        new Encoded(rowEncoder.encode(rows, batch.training()).t(), Optional.empty(), List.of()));
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        return labels.select(encoding.logits()).t(); // (B, L)
    }

    /** The attention of the label's mask token over the document in the last layer, averaged over heads. */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        return labels.select(encoding.attention().orElseThrow()).permute(1, 2, 0); // (B, T, L)
    }

    /** A document counts with its prompt. */
    @Override
    public int minTokensPerDocument() {
        return Math.max(1, 2 * prompt.length);
    }

    @Override
    public LabelBias bias() {
        return bias;
    }

    @Override
    public void save(Path directory) {
        super.save(directory);
        DescriptionFile.write(directory, descriptions);
    }

    @Override
    public void load(Path directory) {
        super.load(directory);
        setDescriptions(DescriptionFile.read(directory));
    }
}
