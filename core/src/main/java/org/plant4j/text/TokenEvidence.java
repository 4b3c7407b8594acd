package org.plant4j.text;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.plant4j.GoldEvidence;

/** Gold evidence of a document as token positions: the tokens from {@code start} to {@code end}, exclusive, support the label. */
public record TokenEvidence(int label, int start, int end) implements Serializable {

    private static final long serialVersionUID = 1;

    /** The runs of tokens that the spans of each annotation overlap; annotations of other codes are left out. */
    public static List<TokenEvidence> of(TokenizedText text, List<GoldEvidence> annotations, LabelIndex labels) {
        List<TokenEvidence> evidence = new ArrayList<>();
        for (GoldEvidence annotation : annotations) {
            int label = labels.id(annotation.code()).orElse(Integer.MAX_VALUE);
            for (int t = 0, end; t < text.size() && label < labels.trainedCount(); t = end + 1) {
                end = t;
                while (end < text.size()
                        && annotation.spans().stream().anyMatch(text.spans().get(end)::overlaps)) {
                    end++;
                }
                if (end > t) {
                    evidence.add(new TokenEvidence(label, t, end));
                }
            }
        }
        return evidence;
    }

    /** The part inside the tokens from {@code from} to {@code to}, counted from {@code from}; may be empty. */
    public TokenEvidence within(int from, int to) {
        return new TokenEvidence(label, Math.max(start, from) - from, Math.min(end, to) - from);
    }

    public boolean isEmpty() {
        return end <= start;
    }
}
