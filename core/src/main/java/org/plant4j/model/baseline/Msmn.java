package org.plant4j.model.baseline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.T_TensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.BiLstm;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.Linear;
import org.plant4j.layer.SharedBias;
import org.plant4j.layer.TokenOccurrences;
import org.plant4j.model.Encoding;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.description.DescriptionFile;
import org.plant4j.model.description.EncodedDescriptions;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;
import org.plant4j.train.GradientCheckpoint;
import org.plant4j.train.Loss;
import org.plant4j.train.RowEncoder;

/**
 * MSMN: each label has several terms, its description and synonyms, which the encoder of the documents reads too. Each term
 * attends to the document; the maximum over the terms is the label's view of it, and a biaffine layer compares both.
 *
 * <p>Yuan, Tan, Huang: Code Synonyms Do Matter: Multiple Synonyms Matching Network for Automatic ICD Coding, ACL 2022,
 * equations 1 to 8; reference implementation: <a href="https://github.com/GanjinZero/ICD-MSMN">ICD-MSMN</a>, {@code
 * MultiLabelMultiHeadLAATV2}. With h_t the hidden states of a document and q_lj those of term j of label l, the maximum over
 * its tokens: a_lj = softmax over t of tanh(W h_t + b)_j · (R q_lj + c), where _j is the j-th of m equal parts; m_l = max_j Σ_t
 * a_ljt h_t; y_l = (A q_l + a) · m_l + B q_l + b_0, q_l = max_j q_lj. No parameter belongs to one label.
 */
public final class Msmn extends LabelNetwork<Msmn.Encoded> {

    /**
     * Sizes of the network.
     *
     * @param hidden units per direction of each LSTM layer
     * @param size of the hidden states h; if it is not {@code 2 hidden}, a linear layer maps to it
     * @param terms m, the terms of a label; fewer are repeated, more are cut
     * @param termTokens tokens of a term that are read
     * @param dropout of embedded tokens, between LSTM layers and of m_l, where a document has one mask for all labels
     * @param rDrop weight of R-Drop; 0 for one pass per step
     * @param checkpointTokens padded tokens of all terms above which training uses gradient checkpointing
     */
    public record Config(
            int embedding,
            int hidden,
            int layers,
            int size,
            int terms,
            int termTokens,
            double dropout,
            double rDrop,
            int checkpointTokens,
            double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "hidden", hidden);
            Arguments.atLeast(1, "layers", layers);
            Arguments.atLeast(1, "terms", terms);
            Arguments.check(size >= 1 && size % terms == 0, "size", size, "a multiple of terms, " + terms);
            Arguments.atLeast(1, "term_tokens", termTokens);
            Arguments.rate("dropout", dropout);
            Arguments.atLeast(0.0, "r_drop", rDrop);
            Arguments.atLeast(1, "checkpoint_tokens", checkpointTokens);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, 8, 1, 16, 2, 4, 0.1, 0, 4096, -1);
        }

        @Override
        public boolean usesDescriptions() {
            return true;
        }

        @Override
        public boolean usesSynonyms() {
            return true;
        }

        @Override
        public Msmn build(int vocabularySize, int labels, Compute compute) {
            return new Msmn(this, vocabularySize, labels, compute);
        }
    }

    /**
     * Encoded documents and terms.
     *
     * @param hiddenStates (B, T, H)
     * @param keys (B, T, H), m parts beside each other
     * @param queries (L, m, H)
     * @param viewMask dropout of the labels' views, (B, 1, H); empty at prediction
     */
    public record Encoded(
            Tensor hiddenStates,
            Tensor keys,
            Tensor queries,
            Optional<Tensor> viewMask,
            List<GradientCheckpoint> checkpoints)
            implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(
                    function.apply(hiddenStates),
                    function.apply(keys),
                    function.apply(queries),
                    viewMask.map(function),
                    checkpoints);
        }
    }

    private final Config config;
    private final Embedding embedding;
    private final Dropout dropout;
    private final List<BiLstm> lstm;
    private final Optional<Linear> hiddenProjection;
    private final Linear keyProjection;
    private final Linear queryProjection;
    private final Linear weightProjection;
    private final Linear biasProjection;
    private final SharedBias bias;
    private final EncodedDescriptions encodedTerms;
    private List<int[]> descriptions = List.of();
    private List<int[]> terms = List.of(); // m per label
    private long[] termRows = {}; // the row of each term among the distinct ones, which are encoded

    Msmn(Config config, int vocabularySize, int labels, Compute compute) {
        super(labels, compute);
        this.config = config;
        int size = config.size();
        int width = 2 * config.hidden();
        embedding = submodule("embedding", new Embedding(vocabularySize, config.embedding(), compute));
        dropout = new Dropout(config.dropout());
        lstm = IntStream.range(0, config.layers())
                .mapToObj(i -> submodule(
                        "lstm." + i, new BiLstm(i == 0 ? config.embedding() : width, config.hidden(), compute)))
                .toList();
        hiddenProjection = size == width
                ? Optional.empty()
                : Optional.of(submodule("hidden_projection", new Linear(width, size, true, compute)));
        keyProjection = submodule("key_projection", new Linear(size, size, true, compute));
        queryProjection = submodule("query_projection", new Linear(size, size / config.terms(), true, compute));
        weightProjection = submodule("weight_projection", new Linear(size, size, true, compute));
        biasProjection = submodule("bias_projection", new Linear(size, 1, false, compute));
        bias = submodule("head", new SharedBias(labels, config.initialBias(), compute));
        encodedTerms = new EncodedDescriptions(
                new RowEncoder(
                        (rows, training) -> termVectors(RowEncoder.batch(rows, training, compute)),
                        config.checkpointTokens(),
                        compute),
                config.termTokens());
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    @Override
    public void setDescriptions(List<int[]> labelDescriptions) {
        descriptions = labelDescriptions;
        setSynonyms(labelDescriptions.stream().map(label -> List.<int[]>of()).toList());
    }

    /** The terms of a label are its description and its synonyms, as far as they have tokens. */
    @Override
    public void setSynonyms(List<List<int[]>> synonyms) {
        Arguments.check(synonyms.size() == labels(), "labels with synonyms", synonyms.size(), "" + labels());
        List<int[]> all = new ArrayList<>();
        for (int label = 0; label < labels(); label++) {
            List<int[]> own = new ArrayList<>(List.of(descriptions.get(label)));
            own.addAll(synonyms.get(label));
            own.removeIf(term -> term.length == 0);
            for (int j = 0; j < config.terms(); j++) {
                all.add(own.isEmpty() ? new int[0] : own.get(j % own.size()));
            }
        }
        setTerms(all);
    }

    /** Equal terms are encoded once. */
    private void setTerms(List<int[]> all) {
        Arguments.check(all.size() == labels() * config.terms(), "terms", all.size(), "" + labels() * config.terms());
        Map<List<Integer>, Integer> rows = new LinkedHashMap<>();
        terms = all.stream()
                .map(term -> Arrays.copyOf(term, Math.min(term.length, config.termTokens())))
                .toList();
        termRows = terms.stream()
                .mapToLong(term -> {
                    List<Integer> key = Arrays.stream(term).boxed().toList();
                    rows.putIfAbsent(key, rows.size());
                    return rows.get(key);
                })
                .toArray();
        encodedTerms.setDescriptions(rows.keySet().stream()
                .map(term -> term.stream().mapToInt(token -> token).toArray())
                .toList());
    }

    private int distinctTerms() {
        return encodedTerms.descriptions().size();
    }

    /** Tokens (N, T) to hidden states (N, T, H). */
    private Tensor hiddenStates(Batch batch) {
        Tensor states = dropout.forward(embedding.forward(batch.tokens()), batch);
        for (int i = 0; i < lstm.size(); i++) {
            states = lstm.get(i).forward(i == 0 ? states : dropout.forward(states, batch), batch);
        }
        return hiddenProjection.isPresent() ? hiddenProjection.get().forward(states) : states;
    }

    /** The maximum over the tokens of each term: (N, H). */
    private Tensor termVectors(Batch batch) {
        return hiddenStates(batch)
                .masked_fill(batch.mask().logical_not().unsqueeze(-1), new Scalar(LabelAttention.MASKED_SCORE))
                .amax(new long[] {1}, false);
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        // Gradients with respect to the tokens of documents need none of the terms.
        boolean recordsParameters = GradMode.is_enabled() && !TokenOccurrences.isOpen();
        Tensor vectors = recordsParameters ? encodedTerms.encode(distinctTerms()) : encodedTerms.cached();
        return encodeDocuments(batch, queries(vectors), List.of());
    }

    @Override
    public Encoded encodeForTraining(Batch batch, EncoderState before) {
        Optional<GradientCheckpoint> checkpoint = encodedTerms.checkpoint(distinctTerms());
        Tensor vectors =
                checkpoint.map(GradientCheckpoint::value).orElseGet(() -> encodedTerms.encode(distinctTerms()));
        return encodeDocuments(batch, queries(vectors), checkpoint.stream().toList());
    }

    /** Vectors of distinct terms (N, H) to the terms of each label (L, m, H). */
    private Tensor queries(Tensor vectors) {
        return vectors.index_select(0, compute().toDevice(Tensor.create(termRows)))
                .view(labels(), config.terms(), config.size());
    }

    private Encoded encodeDocuments(Batch batch, Tensor queries, List<GradientCheckpoint> checkpoints) {
        Tensor hiddenStates = batch.withoutUnknown(hiddenStates(batch)); // (B, T, H)
        Optional<Tensor> viewMask = batch.training() && config.dropout() > 0
                ? Optional.of(dropout.forward(
                        torch.ones(new long[] {hiddenStates.size(0), 1, config.size()}, hiddenStates.options()), true))
                : Optional.empty();
        Tensor keys = torch.tanh(keyProjection.forward(hiddenStates));
        return new Encoded(hiddenStates, keys, queries, viewMask, checkpoints);
    }

    /** The attention of each term over the tokens: m tensors (B, T, L). */
    private List<Tensor> termAttention(Batch batch, Encoded encoding, Tensor queries) {
        Tensor projected = queryProjection.forward(queries); // (L, m, H / m)
        long part = projected.size(2);
        return IntStream.range(0, config.terms())
                .mapToObj(j -> LabelAttention.maskedSoftmax(
                        torch.matmul(
                                encoding.keys().narrow(2, j * part, part),
                                projected.select(1, j).t()),
                        batch.mask()))
                .toList();
    }

    /** The view that each term has of the documents: (m, B, L, H). */
    private static Tensor termViews(Encoded encoding, List<Tensor> attention) {
        return torch.stack(new TensorVector(attention.stream()
                .map(weights -> torch.matmul(weights.transpose(1, 2), encoding.hiddenStates()))
                .toArray(Tensor[]::new)));
    }

    /** The largest query of each label in each dimension: (L, H). */
    private static Tensor labelVectors(Tensor queries) {
        return queries.amax(new long[] {1}, false);
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor queries = labels.select(encoding.queries());
        Tensor views =
                termViews(encoding, termAttention(batch, encoding, queries)).amax(new long[] {0}, false);
        Tensor masked = encoding.viewMask().map(views::mul).orElse(views); // (B, L, H)
        Tensor vectors = labelVectors(queries);
        return masked.mul(weightProjection.forward(vectors))
                .sum(-1L)
                .add(biasProjection.forward(vectors).squeeze(1)); // (B, L)
    }

    /**
     * A token's positive summand of the logit: in each dimension of the view, that of the term which has the maximum there.
     */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor queries = labels.select(encoding.queries());
        List<Tensor> attention = termAttention(batch, encoding, queries);
        T_TensorTensor_T maximum = termViews(encoding, attention).max(0, false);
        Tensor weights = weightProjection.forward(labelVectors(queries)); // (L, H)
        Tensor sum = torch.zeros_like(attention.get(0));
        for (int j = 0; j < attention.size(); j++) {
            Tensor chosen = maximum.get1().eq(new Scalar(j)).mul(weights); // (B, L, H)
            Tensor tokenLogits = torch.matmul(encoding.hiddenStates(), chosen.transpose(1, 2)); // (B, T, L)
            sum = sum.add(attention.get(j).mul(tokenLogits));
        }
        return sum.clamp_min(new Scalar(0));
    }

    /** The mean attention of the terms. */
    @Override
    public Tensor attentionWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        return termAttention(batch, encoding, labels.select(encoding.queries())).stream()
                .reduce(Tensor::add)
                .orElseThrow()
                .div(new Scalar((double) config.terms())); // (B, T, L)
    }

    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return EvidenceMethod.ofAttentionNetworks();
    }

    @Override
    public Tensor computeGradients(Segments segments, Tensor targets, Loss loss) {
        if (config.rDrop() == 0) {
            return super.computeGradients(segments, targets, loss);
        }
        Batch batch = segments.get(0); // documents are read whole
        List<Encoded> passes;
        try (Compute.Autocast autocast = compute().autocast()) {
            Encoded first = encodeForTraining(batch, EncoderState.EMPTY);
            passes = List.of(first, encodeDocuments(batch, first.queries(), List.of()));
        }
        return new RDrop(config.rDrop()).computeGradients(this, batch, passes, targets, loss);
    }

    /** Scores and attention of each term. */
    @Override
    public int bytesPerLabelAndToken() {
        return 16 * config.terms();
    }

    /** Views hold H numbers per document, label and term. */
    @Override
    public int minTokensPerDocument() {
        return config.size();
    }

    @Override
    public LabelBias bias() {
        return bias;
    }

    @Override
    public void save(Path directory) {
        super.save(directory);
        DescriptionFile.write(directory, terms);
    }

    @Override
    public void load(Path directory) {
        super.load(directory);
        setTerms(DescriptionFile.read(directory));
    }

    @Override
    public void close() {
        super.close();
        encodedTerms.close();
    }
}
