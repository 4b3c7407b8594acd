package org.plant4j.encoder;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.UserError;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Init;
import org.plant4j.layer.Layer;
import org.plant4j.layer.LayerNorm;
import org.plant4j.layer.Linear;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;

/**
 * Answers yes or no at a mask token: a masked language model head whose vocabulary are two tokens. The answers start as
 * their token embeddings; other than in a language model, they are trained apart from these.
 */
public final class AnswerHead extends Layer {

    private static final String TRANSFORM = "transform.";

    /** How tokenizers mark the start of a word: WordPiece does not, SentencePiece and byte-level BPE do. */
    private static final List<String> WORD_STARTS = List.of("", "\u2581", "\u0120");

    private final Linear dense;
    private final LayerNorm norm;
    private final Tensor answers; // (2, H): yes, no

    public AnswerHead(int hidden, double epsilon, Compute compute) {
        dense = submodule(TRANSFORM + "dense", new Linear(hidden, hidden, true, compute));
        norm = submodule(TRANSFORM + "LayerNorm", new LayerNorm(hidden, epsilon, compute));
        answers = parameter("answers", compute, Init.normal(1 / Math.sqrt(hidden)), 2, hidden);
    }

    /** Hidden states (…, H) of mask tokens to the difference (…) of the logits of yes and no. */
    public Tensor forward(Tensor hiddenStates) {
        Tensor transformed = norm.forward(torch.gelu(dense.forward(hiddenStates)));
        return torch.matmul(transformed, answers.select(0, 0).sub(answers.select(0, 1)));
    }

    /** Starts from the head and the embeddings of a pretrained encoder; without a head, from random weights. */
    public void loadPretrained(Path directory, Embedding embedding, String yes, String no) {
        EncoderDirectory encoder = new EncoderDirectory(directory);
        List<String> tokens = encoder.tokens();
        long[] ids = {tokenId(yes, tokens, directory), tokenId(no, tokens, directory)};
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            answers.copy_(embedding.forward(Tensor.create(ids).to(answers.device(), torch.ScalarType.Long)));
            String prefix = MaskedLanguageModelHead.NAME + ".";
            Map<String, Tensor> found =
                    Checkpoint.readMatching(encoder.weights(), name -> name.startsWith(prefix + TRANSFORM));
            if (!found.isEmpty()) {
                Map<String, Tensor> into = parameters();
                into.keySet().removeIf(name -> !name.startsWith(TRANSFORM));
                encoder.copyParameters(prefix, found, into);
            }
        }
    }

    private static long tokenId(String word, List<String> tokens, Path directory) {
        return WORD_STARTS.stream()
                .map(start -> tokens.indexOf(start + word))
                .filter(id -> id >= 0)
                .findFirst()
                .orElseThrow(() -> new UserError(
                        "The encoder has no token '" + word + "' to answer with",
                        directory.resolve("tokens.txt").toString(),
                        "set model.yes_token and model.no_token to words that are tokens of the encoder"));
    }
}
