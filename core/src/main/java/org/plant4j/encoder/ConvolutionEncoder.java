package org.plant4j.encoder;

import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Convolution;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Layer;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;

/**
 * Token embeddings, dropout and parallel convolutions with several kernel sizes: h = [tanh(c₁); tanh(c₂); …].
 *
 * <p>Zhou et al.: Automatic ICD Coding via Interactive Shared Representation Networks with Self-distillation Mechanism,
 * ACL 2021, equations 1 and 2.
 */
final class ConvolutionEncoder extends Encoder {

    private final int width;
    private final Embedding embedding;
    private final Dropout dropout;
    private final ParallelConvolutions convolutions;

    /** One convolution with {@code filters} filters for each kernel size. */
    ConvolutionEncoder(
            int vocabularySize, int embedding, int filters, List<Integer> kernels, double dropout, Compute compute) {
        this.width = filters * kernels.size();
        this.embedding = submodule("embedding", new Embedding(vocabularySize, embedding, compute));
        this.dropout = new Dropout(dropout);
        this.convolutions = submodule("convolutions", new ParallelConvolutions(embedding, filters, kernels, compute));
    }

    /** The convolutions as one layer, which is unfrozen as a whole. */
    private static final class ParallelConvolutions extends Layer {

        private final List<Convolution> convolutions;

        ParallelConvolutions(int in, int out, List<Integer> kernels, Compute compute) {
            convolutions = IntStream.range(0, kernels.size())
                    .mapToObj(i -> submodule(Integer.toString(i), new Convolution(in, out, kernels.get(i), compute)))
                    .toList();
        }

        /** (B, T, E) to (B, T, H). */
        Tensor forward(Tensor x) {
            return torch.tanh(torch.cat(
                    new TensorVector(convolutions.stream()
                            .map(convolution -> convolution.forward(x))
                            .toArray(Tensor[]::new)),
                    -1));
        }
    }

    @Override
    public int hiddenSize() {
        return width;
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    @Override
    public Output forward(Batch batch, EncoderState before) {
        Tensor embedded = dropout.forward(embedding.forward(batch.tokens()), batch); // (B, T, E)
        return new Output(convolutions.forward(embedded), EncoderState.EMPTY);
    }

    @Override
    public List<Layer> layers() {
        return List.of(embedding, convolutions);
    }
}
