package org.plant4j.model.output;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a model computes the weight of each token for a label. A model supports one or more of these, see {@link
 * org.plant4j.model.Model#evidenceMethods}. Negative contributions count as 0 in all of them.
 */
public enum EvidenceMethod {
    /** The attention weights of the label. */
    ATTENTION,

    /** Attention weight times token logit, the token's summand of the label's logit. */
    ATTENTION_VALUE,

    /**
     * {@link #ATTENTION_VALUE} spread to neighbouring tokens, because evidence consists of phrases: a token gets a tenth of
     * the weight of the tokens next to it and a fiftieth of those two tokens away. The strongest tokens stay the same, and
     * the others of their phrase come before unrelated tokens.
     */
    ATTENTION_PHRASE,

    /**
     * The gradient of the logit with respect to the token's embedding, times the embedding. The sum over its dimensions is
     * a first-order estimate of what the token adds to the logit, so it has a sign; for a linear model it is exact.
     */
    GRADIENT_INPUT,

    /**
     * Integrated gradients (Sundararajan, Taly, Yan: Axiomatic Attribution for Deep Networks, ICML 2017): the mean gradient on
     * the straight line from the padding embedding to the token's, times the embedding.
     */
    INTEGRATED_GRADIENTS,

    /**
     * Attention weight times {@link #GRADIENT_INPUT} (Edin et al.: An Unsupervised Approach to Achieve Supervised-Level
     * Explainability in Healthcare Records, EMNLP 2024, AttInGrad).
     */
    ATTENTION_GRADIENT;

    /** The name in commands and files, such as {@code attention-value}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The method with this {@link #id}. */
    public static Optional<EvidenceMethod> of(String id) {
        return Arrays.stream(values()).filter(method -> method.id().equals(id)).findFirst();
    }

    /** The ids of all methods. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(EvidenceMethod::id).toList();
    }

    /** All methods. The first is the default: its weights agree best with annotated evidence. */
    public static List<EvidenceMethod> ofAttentionNetworks() {
        return Stream.concat(
                        Stream.of(ATTENTION_PHRASE),
                        Arrays.stream(values()).filter(method -> method != ATTENTION_PHRASE))
                .toList();
    }

    /** Whether the method computes gradients, which takes a forward and backward pass per label. */
    public boolean usesGradients() {
        return this == GRADIENT_INPUT || this == INTEGRATED_GRADIENTS || this == ATTENTION_GRADIENT;
    }
}
