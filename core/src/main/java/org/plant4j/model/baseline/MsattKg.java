package org.plant4j.model.baseline;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.BatchNorm;
import org.plant4j.layer.Convolution;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Init;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.Layer;
import org.plant4j.layer.Linear;
import org.plant4j.layer.TokenOccurrences;
import org.plant4j.model.Encoding;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.text.LabelIndex;

/**
 * MSATT-KG: densely connected convolutions, attention that chooses among their scales at every token, and label attention
 * whose queries a graph convolution computes from descriptions and the code hierarchy.
 *
 * <p>Xie, Xiong, Yu, Zhu: EHR Coding with Multi-scale Feature Attention and Structured Knowledge Graph Propagation, CIKM 2019.
 * The authors have published no code. Scale attention follows the paper's source, Wang, Huang, Deng: Densely Connected CNN with
 * Multi-scale Feature Attention for Text Classification, IJCAI 2018, equations 1 to 6; graph convolution follows Rios,
 * Kavuluru: Few-Shot and Zero-Shot Multi-Label Learning for Structured Label Spaces, EMNLP 2018, equation 4.
 */
public final class MsattKg extends LabelNetwork<MsattKg.Encoded> {

    /**
     * Sizes of the network.
     *
     * @param filters outputs of each convolution
     * @param scales number of convolutions; each reads the outputs of all below it
     * @param kernel width in tokens
     */
    public record Config(int embedding, int filters, int scales, int kernel, double dropout, double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "filters", filters);
            Arguments.atLeast(1, "scales", scales);
            Arguments.atLeast(1, "kernel", kernel);
            Arguments.rate("dropout", dropout);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, 12, 2, 3, 0, -1);
        }

        @Override
        public boolean usesDescriptions() {
            return true;
        }

        /** Without codes there is no hierarchy. */
        @Override
        public MsattKg build(int vocabularySize, int labels, Compute compute) {
            return new MsattKg(this, vocabularySize, CodeTree.flat(labels), compute);
        }

        @Override
        public MsattKg build(int vocabularySize, LabelIndex labels, Compute compute) {
            return new MsattKg(this, vocabularySize, CodeTree.of(labels.codes().subList(0, labels.size())), compute);
        }
    }

    /** Hidden states (B, T, F), and the attention queries (L, F) of all labels. */
    public record Encoded(Tensor hiddenStates, Tensor queries) implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(function.apply(hiddenStates), function.apply(queries));
        }
    }

    /** Densely connected convolutions, and attention over their outputs at every token. */
    private static final class Scales extends Layer {

        private final List<Convolution> convolutions = new ArrayList<>();
        private final List<BatchNorm> norms = new ArrayList<>();
        private final Linear hidden;
        private final Linear scores;

        Scales(Config config, Compute compute) {
            int filters = config.filters();
            for (int i = 0; i < config.scales(); i++) {
                int in = i == 0 ? config.embedding() : i * filters;
                convolutions.add(
                        submodule("convolutions." + i, new Convolution(in, filters, config.kernel(), false, compute)));
                norms.add(submodule("norms." + i, new BatchNorm(filters, compute)));
            }
            hidden = submodule("hidden", new Linear(config.scales(), config.scales(), true, compute));
            scores = submodule("scores", new Linear(config.scales(), config.scales(), true, compute));
        }

        /** (B, T, E) to (B, T, F). */
        Tensor forward(Tensor embedded, Batch batch) {
            Tensor mask = batch.mask().unsqueeze(-1);
            List<Tensor> outputs = new ArrayList<>();
            for (int i = 0; i < convolutions.size(); i++) {
                Tensor input = i == 0 ? embedded : torch.cat(vector(outputs), -1);
                Tensor output = norms.get(i).forward(convolutions.get(i).forward(input), batch);
                outputs.add(torch.relu(output).mul(mask));
            }
            Tensor all = torch.stack(vector(outputs), -1); // (B, T, F, K)
            Tensor means = all.mean(new long[] {2}, false, new ScalarTypeOptional(torch.ScalarType.Float)); // (B, T, K)
            Tensor attention = torch.softmax(scores.forward(torch.relu(hidden.forward(means))), -1);
            return all.mul(attention.unsqueeze(2)).sum(-1L);
        }

        private static TensorVector vector(List<Tensor> tensors) {
            return new TensorVector(tensors.toArray(Tensor[]::new));
        }
    }

    private final Embedding embedding;
    private final Dropout dropout;
    private final Scales scales;
    private final Tensor nodes; // (N, E), labels first
    private final CodeTreeConvolution firstGraph;
    private final CodeTreeConvolution secondGraph;
    private final LabelHead head;

    MsattKg(Config config, int vocabularySize, CodeTree tree, Compute compute) {
        super(tree.labels(), compute);
        int size = config.embedding();
        int filters = config.filters();
        embedding = submodule("embedding", new Embedding(vocabularySize, size, compute));
        dropout = new Dropout(config.dropout());
        scales = submodule("scales", new Scales(config, compute));
        nodes = parameter("nodes", compute, Init.normal(1 / Math.sqrt(size)), tree.nodes(), size);
        firstGraph = submodule("graph.0", new CodeTreeConvolution(tree, size, filters, compute));
        secondGraph = submodule("graph.1", new CodeTreeConvolution(tree, filters, filters, compute));
        head = submodule(
                "head", new LabelHead(labels(), filters, 1 / Math.sqrt(filters), config.initialBias(), compute));
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    /** The vectors of labels in the hierarchy start from their descriptions. */
    @Override
    public void setDescriptions(List<int[]> descriptions) {
        DescriptionMeans.copy(descriptions, embedding, nodes, compute());
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        Tensor embedded = dropout.forward(embedding.forward(batch.tokens()), batch); // (B, T, E)
        Tensor hiddenStates = dropout.forward(scales.forward(embedded, batch), batch); // (B, T, F)
        return new Encoded(batch.withoutUnknown(hiddenStates), queries());
    }

    /** The queries (L, F) of all labels; gradients with respect to the tokens of documents need none of them. */
    private Tensor queries() {
        Tensor queries =
                secondGraph.forward(torch.relu(firstGraph.forward(nodes))).narrow(0, 0, labels());
        return TokenOccurrences.isOpen() ? queries.detach() : queries;
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        return head.forward(encoding.hiddenStates(), attentionWeights(batch, encoding, labels), labels);
    }

    /** A token's positive summand of the logit. */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        return attentionWeights(batch, encoding, labels)
                .mul(head.tokenLogits(encoding.hiddenStates(), labels))
                .clamp_min(new Scalar(0))
                .abs(); // hidden states are often 0, and 0 times a negative weight is -0
    }

    @Override
    public Tensor attentionWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor scores = torch.matmul(
                encoding.hiddenStates(), labels.select(encoding.queries()).t());
        return LabelAttention.maskedSoftmax(scores, batch.mask()); // (B, T, L)
    }

    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return EvidenceMethod.ofAttentionNetworks();
    }

    @Override
    public LabelBias bias() {
        return head;
    }
}
