package org.plant4j.text;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.plant4j.corpus.GoldEvidence;
import org.plant4j.corpus.Span;

/**
 * Cuts documents that say where their codes are into passages of at most {@code longest} tokens, so that a code can be
 * learned from the few words around it. No cut goes through a piece of evidence, from its first token to its last; a
 * passage that begins with a longer one ends where that ends.
 */
public record PassageSplitter(int maxTokens) {

    /** Tokens from {@code start} up to, not including, {@code end}, and the codes whose evidence lies among them. */
    public record Passage(int start, int end, Set<String> codes) {}

    /** The tokens that a piece of evidence touches, and all between them. */
    private record TokenRange(String code, int start, int end) {}

    public PassageSplitter {
        if (maxTokens < 1) {
            throw new IllegalArgumentException("longest: " + maxTokens + " (expected: >= 1)");
        }
    }

    /**
     * The document's passages that have one of the codes; evidence for others is passed over. None where the whole
     * document would be the only one, or where the evidence of a code is not known: passages would then teach that it is
     * not there.
     */
    List<Passage> split(TokenizedText tokens, Set<String> codes, List<GoldEvidence> evidence) {
        List<TokenRange> marks = evidence.stream()
                .filter(one -> codes.contains(one.code()))
                .flatMap(one -> mark(one, tokens).stream())
                .toList();
        Set<String> marked = codesOf(marks, 0, tokens.size());
        if (!marked.containsAll(codes)) {
            return List.of();
        }
        BitSet within = new BitSet(); // where a cut would go through evidence
        marks.forEach(mark -> within.set(mark.start + 1, mark.end));
        List<Passage> passages = new ArrayList<>();
        int end;
        for (int start = 0; start < tokens.size(); start = end) {
            end = end(start, tokens.size(), within);
            Set<String> borne = codesOf(marks, start, end);
            if (!borne.isEmpty() && end - start < tokens.size()) {
                passages.add(new Passage(start, end, borne));
            }
        }
        return passages;
    }

    private int end(int start, int size, BitSet within) {
        int farthest = Math.min(size, start + maxTokens);
        int before = within.previousClearBit(farthest);
        return before > start ? before : within.nextClearBit(farthest);
    }

    private static Set<String> codesOf(List<TokenRange> marks, int start, int end) {
        Set<String> codes = new TreeSet<>();
        for (TokenRange mark : marks) {
            if (mark.start >= start && mark.end <= end) {
                codes.add(mark.code);
            }
        }
        return codes;
    }

    /** Nothing where the evidence touches no token. */
    private static Optional<TokenRange> mark(GoldEvidence evidence, TokenizedText tokens) {
        int first = -1;
        int last = -1;
        for (int token = 0; token < tokens.size(); token++) {
            Span span = tokens.spans().get(token);
            if (evidence.spans().stream().anyMatch(span::overlaps)) {
                first = first < 0 ? token : first;
                last = token;
            }
        }
        return first < 0 ? Optional.empty() : Optional.of(new TokenRange(evidence.code(), first, last + 1));
    }
}
