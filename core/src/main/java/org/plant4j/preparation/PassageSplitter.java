package org.plant4j.preparation;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;
import org.plant4j.support.Arguments;
import org.plant4j.text.TokenizedText;

/**
 * Splits documents with gold evidence into passages of at most {@code maxTokens} tokens, so that a label can be learned
 * from the context of its evidence. Evidence is never split, from its first token to its last; a passage that starts
 * with longer evidence extends to the end of that evidence.
 */
record PassageSplitter(int maxTokens) implements Serializable {

    private static final long serialVersionUID = 1;

    /** The tokens from {@code start} to {@code end}, exclusive, and the codes with evidence among them. */
    record Passage(int start, int end, Set<String> codes) {}

    /** The tokens from the first to the last that evidence overlaps, {@code end} exclusive. */
    private record TokenRange(String code, int start, int end) {}

    PassageSplitter {
        Arguments.atLeast(1, "maxTokens", maxTokens);
    }

    /**
     * The passages with evidence for at least one of the codes; evidence for other codes is ignored. Returns no passages
     * if the document fits into a single one, or if a code has no evidence: passages that contain its undocumented
     * evidence would be wrong negatives.
     */
    List<Passage> split(TokenizedText text, Set<String> codes, List<GoldEvidence> evidence) {
        List<TokenRange> ranges = evidence.stream()
                .filter(item -> codes.contains(item.code()))
                .flatMap(item -> range(item, text).stream())
                .toList();
        Set<String> covered = codesOf(ranges, 0, text.size());
        if (!covered.containsAll(codes)) {
            return List.of();
        }
        BitSet insideEvidence = new BitSet(); // positions where a split would cut evidence
        ranges.forEach(range -> insideEvidence.set(range.start + 1, range.end));
        List<Passage> passages = new ArrayList<>();
        int end;
        for (int start = 0; start < text.size(); start = end) {
            end = end(start, text.size(), insideEvidence);
            Set<String> passageCodes = codesOf(ranges, start, end);
            if (!passageCodes.isEmpty() && end - start < text.size()) {
                passages.add(new Passage(start, end, passageCodes));
            }
        }
        return passages;
    }

    private int end(int start, int size, BitSet insideEvidence) {
        int farthest = Math.min(size, start + maxTokens);
        int before = insideEvidence.previousClearBit(farthest);
        return before > start ? before : insideEvidence.nextClearBit(farthest);
    }

    private static Set<String> codesOf(List<TokenRange> ranges, int start, int end) {
        Set<String> codes = new TreeSet<>();
        for (TokenRange range : ranges) {
            if (range.start >= start && range.end <= end) {
                codes.add(range.code);
            }
        }
        return codes;
    }

    /** Empty if the evidence does not overlap any token. */
    private static Optional<TokenRange> range(GoldEvidence evidence, TokenizedText text) {
        int first = -1;
        int last = -1;
        for (int token = 0; token < text.size(); token++) {
            Span span = text.spans().get(token);
            if (evidence.spans().stream().anyMatch(span::overlaps)) {
                first = first < 0 ? token : first;
                last = token;
            }
        }
        return first < 0 ? Optional.empty() : Optional.of(new TokenRange(evidence.code(), first, last + 1));
    }
}
