package org.plant4j.model.baseline;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Convolution;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Init;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.Linear;
import org.plant4j.layer.TokenOccurrences;
import org.plant4j.layer.ZeroShotBias;
import org.plant4j.layer.ZeroShotMask;
import org.plant4j.model.Encoding;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.NetworkInputs;
import org.plant4j.model.TrainingContext;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.text.LabelIndex;

/**
 * HyperCore: each label's view of the document, m_l, is compared with the label in two ways. As a point p_l of the Poincaré
 * ball it is compared with the points of the label and its ancestors, which were placed by the code hierarchy; and by a dot
 * product with a vector that a graph convolution over co-occurring labels computes from the label's description.
 *
 * <p>Cao, Chen, Liu, Zhao, Liu, Chong: HyperCore: Hyperbolic and Co-graph Representation for Automatic ICD Coding, ACL 2020,
 * section 3. The authors have published no code. There the points of all labels are compared with each view; here only those
 * of the label and its ancestors, so that memory grows with the labels and not with their square.
 */
public final class HyperCore extends LabelNetwork<HyperCore.Encoded> {

    /**
     * Sizes of the network.
     *
     * @param ball dimensions of the Poincaré ball
     * @param neighbours co-occurring labels per label in the graph, the most frequent ones
     */
    public record Config(
            int embedding, int filters, int kernel, int ball, int neighbours, double dropout, double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "filters", filters);
            Arguments.atLeast(1, "kernel", kernel);
            Arguments.atLeast(1, "ball", ball);
            Arguments.atLeast(0, "neighbours", neighbours);
            Arguments.rate("dropout", dropout);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, 16, 4, 4, 2, 0.1, -1);
        }

        @Override
        public boolean usesDescriptions() {
            return true;
        }

        /** Without codes there is no hierarchy. */
        @Override
        public HyperCore build(int vocabularySize, int labels, Compute compute) {
            return new HyperCore(this, vocabularySize, CodeTree.flat(labels), compute);
        }

        @Override
        public HyperCore build(int vocabularySize, LabelIndex labels, Compute compute) {
            return new HyperCore(
                    this, vocabularySize, CodeTree.of(labels.codes().subList(0, labels.size())), compute);
        }

        @Override
        public boolean train(TrainingContext context) {
            try (NetworkInputs inputs = context.networkInputs()) {
                Engine.setSeed(context.seed());
                try (HyperCore network = build(context.vocabularySize(), context.labels(), context.compute())) {
                    inputs.initialize(network);
                    network.setNeighbours(LabelNeighbours.of(context.trainingData(), network.labels(), neighbours));
                    network.placeCodes(context.seed());
                    return context.fit(network);
                }
            }
        }
    }

    /**
     * Encoded documents, and what the labels are compared with.
     *
     * @param hiddenStates (B, T, F)
     * @param ballStates directions and sizes of points in the ball, one per token: (B, T, D + 1)
     * @param queries attention queries (L, F)
     * @param codes vectors of the graph convolution (L, F)
     */
    public record Encoded(Tensor hiddenStates, Tensor ballStates, Tensor queries, Tensor codes)
            implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(
                    function.apply(hiddenStates),
                    function.apply(ballStates),
                    function.apply(queries),
                    function.apply(codes));
        }
    }

    /** The largest norm of a document's point, so that its distances stay finite. */
    private static final double LARGEST_NORM = 0.999;

    private final Config config;
    private final CodeTree tree;
    private final Embedding embedding;
    private final Dropout dropout;
    private final Convolution convolution;
    private final Tensor descriptions; // (L, E)
    private final Linear query;
    private final Linear firstGraph;
    private final Linear secondGraph;
    private final Linear direction;
    private final Linear size;
    private final Tensor distanceWeights; // (L, A)
    private final Tensor neighbours; // (L, K + 1)
    private final Tensor neighbourWeights; // (L, K + 1)
    private final Tensor points; // (L, A, D), of the label and its ancestors
    private final ZeroShotBias bias;

    HyperCore(Config config, int vocabularySize, CodeTree tree, Compute compute) {
        super(tree.labels(), compute);
        this.config = config;
        this.tree = tree;
        int labels = tree.labels();
        int filters = config.filters();
        int depth = IntStream.range(0, labels)
                .map(label -> tree.lineage(label).length)
                .max()
                .orElse(1);
        embedding = submodule("embedding", new Embedding(vocabularySize, config.embedding(), compute));
        dropout = new Dropout(config.dropout());
        convolution = submodule("convolution", new Convolution(config.embedding(), filters, config.kernel(), compute));
        descriptions = parameter(
                "descriptions", compute, Init.normal(1 / Math.sqrt(config.embedding())), labels, config.embedding());
        query = submodule("query", new Linear(config.embedding(), filters, false, compute));
        firstGraph = submodule("graph.0", new Linear(config.embedding(), filters, true, compute));
        secondGraph = submodule("graph.1", new Linear(filters, filters, true, compute));
        direction = submodule("direction", new Linear(filters, config.ball(), false, compute));
        size = submodule("size", new Linear(filters, 1, false, compute));
        distanceWeights = parameter("distance_weights", compute, Init.constant(1.0 / depth), labels, depth);
        bias = submodule(
                "head", new ZeroShotBias(new ZeroShotMask(labels, labels, 0, compute), config.initialBias(), compute));
        neighbours = buffer("neighbours", compute, Init.constant(0), labels, config.neighbours() + 1L);
        neighbourWeights = buffer("neighbour_weights", compute, Init.constant(0), labels, config.neighbours() + 1L);
        points = buffer("points", compute, Init.constant(0), labels, depth, config.ball());
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    /** The vectors of labels start from their descriptions. */
    @Override
    public void setDescriptions(List<int[]> labelDescriptions) {
        DescriptionMeans.copy(labelDescriptions, embedding, descriptions, compute());
    }

    void setNeighbours(LabelNeighbours graph) {
        setValues(neighbours, graph.ids());
        setValues(neighbourWeights, graph.weights());
    }

    /** Places labels and ancestors in the ball by the code hierarchy. */
    void placeCodes(long seed) {
        double[][] placed = PoincareEmbedding.train(tree, config.ball(), PoincareEmbedding.EPOCHS, seed);
        int depth = (int) points.size(1);
        float[] values = new float[labels() * depth * config.ball()];
        int next = 0;
        for (int label = 0; label < labels(); label++) {
            int[] lineage = tree.lineage(label);
            for (int i = 0; i < depth; i++) {
                int node = i < lineage.length ? lineage[i] : label; // a label with fewer ancestors repeats itself
                for (double coordinate : placed[node]) {
                    values[next++] = (float) coordinate;
                }
            }
        }
        setValues(points, values);
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        Tensor embedded = dropout.forward(embedding.forward(batch.tokens()), batch); // (B, T, E)
        Tensor hiddenStates = batch.withoutUnknown(torch.tanh(convolution.forward(embedded))); // (B, T, F)
        Tensor ballStates =
                torch.cat(new TensorVector(direction.forward(hiddenStates), size.forward(hiddenStates)), -1);
        Tensor codes = secondGraph.forward(propagate(torch.relu(firstGraph.forward(propagate(descriptions)))));
        Tensor queries = query.forward(descriptions);
        // Gradients with respect to the tokens of documents need none of the labels.
        return TokenOccurrences.isOpen()
                ? new Encoded(hiddenStates, ballStates, queries.detach(), codes.detach())
                : new Encoded(hiddenStates, ballStates, queries, codes);
    }

    /** The weighted mean of the vectors (L, ·) of a label and its neighbours. */
    private Tensor propagate(Tensor vectors) {
        Tensor ids = neighbours.to(torch.ScalarType.Long).flatten();
        return vectors.index_select(0, ids)
                .view(neighbours.size(0), neighbours.size(1), -1)
                .mul(neighbourWeights.unsqueeze(-1))
                .sum(1L);
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor attention = attentionWeights(batch, encoding, labels);
        Tensor occurrence = LabelHead.logits(encoding.hiddenStates(), attention, labels.select(encoding.codes()));
        Tensor attended = torch.matmul(attention.transpose(1, 2), encoding.ballStates()); // (B, L, D + 1)
        try (Compute.Autocast uncast = compute().withoutAutocast()) {
            return occurrence.add(closeness(attended.to(torch.ScalarType.Float), labels));
        }
    }

    /**
     * How much nearer the document's point is to the points of the label and its ancestors than the centre of the ball is,
     * Σ_a w_la (d(0, θ_la) - d(p_l, θ_la)): (B, L). It is 0 for a text without known tokens, whose point is the centre.
     */
    private Tensor closeness(Tensor attended, LabelSelection labels) {
        Tensor directions = attended.narrow(-1, 0, config.ball());
        Tensor norms = torch.sigmoid(attended.narrow(-1, config.ball(), 1)).mul(new Scalar(LARGEST_NORM));
        Tensor inverse = sumOfSquares(directions).clamp_min(new Scalar(1e-12)).rsqrt();
        Tensor documentPoints = directions.mul(inverse).mul(norms); // (B, L, D)
        Tensor codePoints = labels.select(points); // (L, A, D)
        Tensor codeSquares = sumOfSquares(codePoints).squeeze(-1); // (L, A)
        Tensor documentSquares = sumOfSquares(documentPoints); // (B, L, 1)
        Tensor products = torch.bmm(documentPoints.transpose(0, 1), codePoints.transpose(1, 2))
                .transpose(0, 1); // (B, L, A)
        Tensor squaredDistances = documentSquares.add(codeSquares).sub(products.mul(new Scalar(2)));
        Tensor fromDocument = distance(squaredDistances, documentSquares, codeSquares);
        Tensor fromCentre = distance(codeSquares, torch.zeros_like(codeSquares), codeSquares);
        return fromCentre.sub(fromDocument).mul(labels.select(distanceWeights)).sum(-1L);
    }

    private static Tensor sumOfSquares(Tensor x) {
        return x.square().sum(new long[] {-1}, true, new ScalarTypeOptional());
    }

    /** Distances in the Poincaré ball, given squared Euclidean distances and the squared norms of both points. */
    private static Tensor distance(Tensor squaredDistances, Tensor firstSquares, Tensor secondSquares) {
        Scalar one = new Scalar(1);
        Tensor room = firstSquares.neg().add(one).mul(secondSquares.neg().add(one));
        // At 0 the square root has no gradient.
        Tensor x = squaredDistances.mul(new Scalar(2)).div(room).clamp_min(new Scalar(1e-7));
        return torch.log1p(x.add(x.mul(x.add(new Scalar(2))).sqrt()));
    }

    @Override
    public Tensor attentionWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor scores = torch.matmul(
                encoding.hiddenStates(), labels.select(encoding.queries()).t());
        return LabelAttention.maskedSoftmax(scores, batch.mask()); // (B, T, L)
    }

    /** A token's positive summand of the dot product; distances are no sum over tokens. */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        return attentionWeights(batch, encoding, labels)
                .mul(torch.matmul(
                        encoding.hiddenStates(), labels.select(encoding.codes()).t()))
                .clamp_min(new Scalar(0));
    }

    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return EvidenceMethod.ofAttentionNetworks();
    }

    @Override
    public LabelBias bias() {
        return bias;
    }

    /** Each label has a point and distances per document. */
    @Override
    public int minTokensPerDocument() {
        return 4 * config.ball();
    }
}
