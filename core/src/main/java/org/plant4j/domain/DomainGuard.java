package org.plant4j.domain;

import java.util.Locale;
import org.plant4j.DomainCheck;
import org.plant4j.text.Vocabulary;

/**
 * Decides whether a text resembles the documents that a model was trained on. It compares two values with thresholds tuned
 * on dev: the mean log-likelihood of the tokens, which is low for other languages, source code and random letters, and the
 * word order, which is no better than chance for shuffled words.
 *
 * <p>It works on the tokens of the model, so that it is available for every model, and on any number of threads.
 */
public final class DomainGuard {

    /** Word order is not judged below this number of pairs: short notes and lists have no typical order. */
    static final int MIN_PAIRS = 32;

    /** Below this fraction of the usual share of frequent tokens, a text is in another language. */
    private static final double FOREIGN_SHARE = 0.25;

    /** With more known words, a text is in the same language. */
    private static final double FOREIGN_COVERAGE = 0.5;

    /** Fewer tokens say nothing about the language. */
    private static final int MIN_LANGUAGE_TOKENS = 5;

    /** From this coverage on, a reason that blames unknown words would mislead. */
    private static final double USUAL_COVERAGE = 0.9;

    private final DomainProfile profile;
    private final TextFeatures.Extractor features;
    private final WordOrder order;

    public DomainGuard(Vocabulary vocabulary, DomainProfile profile) {
        this.profile = profile;
        this.features = new TextFeatures.Extractor(vocabulary);
        this.order = new WordOrder(vocabulary, profile.pairs());
    }

    /** Checks a text by its token ids. */
    public DomainCheck check(int[] tokens) {
        if (tokens.length == 0) {
            return DomainCheck.NO_WORDS;
        }
        TextFeatures text = features.of(tokens);
        if (text.coverage() == 0) {
            return DomainCheck.outOfDomain("None of the words occurs in the training documents.");
        }
        if (logLikelihoodMargin(text) < 0) {
            return DomainCheck.outOfDomain(unlikelyWords(text));
        }
        if (judgesOrder(text) && !order.isSufficient(tokens, score -> orderMargin(text, score) >= 0)) {
            return DomainCheck.outOfDomain("The word order does not resemble that of the training documents.");
        }
        return DomainCheck.IN_DOMAIN;
    }

    /** How well a text fits: below 0 out of domain, 1 for a typical dev document, minus infinity without known tokens. */
    public double score(int[] tokens) {
        if (tokens.length == 0) {
            return Double.NEGATIVE_INFINITY;
        }
        TextFeatures text = features.of(tokens);
        return text.coverage() == 0
                ? Double.NEGATIVE_INFINITY
                : Math.min(
                        logLikelihoodMargin(text),
                        judgesOrder(text) ? orderMargin(text, order.score(tokens)) : Double.POSITIVE_INFINITY);
    }

    private double logLikelihoodMargin(TextFeatures text) {
        return profile.logLikelihood().margin(text.logLikelihood(), text.tokens());
    }

    private boolean judgesOrder(TextFeatures text) {
        return text.pairs() >= MIN_PAIRS && !profile.wordOrder().isEmpty();
    }

    private double orderMargin(TextFeatures text, double score) {
        return profile.wordOrder().margin(score, text.pairs());
    }

    private String unlikelyWords(TextFeatures text) {
        String share = String.format(Locale.ROOT, "only %.0f %% of the words", 100 * text.coverage());
        if (text.coverage() < FOREIGN_COVERAGE
                && text.tokens() >= MIN_LANGUAGE_TOKENS
                && text.frequentTokens() < FOREIGN_SHARE * features.frequentInTraining()) {
            return "The text does not seem to be in the language of the training documents: " + share
                    + " occur in them.";
        }
        return text.coverage() < USUAL_COVERAGE
                ? "O" + share.substring(1) + " occur in the training documents."
                : "The words are unusual for the training documents.";
    }
}
