package org.plant4j.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;

/** Valid documents with unusual, but well-formed texts. */
final class RandomDocuments {

    private static final List<String> CODES =
            List.of("I10", "E11.9", "J18.9", "M10.9", "250.00", "8140/3", "BW03ZZZ", "código");

    private RandomDocuments() {}

    static List<Document> of(FuzzInput input, int most) {
        List<Document> documents = new ArrayList<>();
        for (int n = input.between(1, most); n > 0; n--) {
            documents.add(document("d" + documents.size() + input.pick("", "-ü", ".0", " x"), input));
        }
        return documents;
    }

    private static Document document(String id, FuzzInput input) {
        Set<String> codes = new TreeSet<>();
        for (int n = input.between(1, 4); n > 0; n--) {
            codes.add(input.pick(CODES));
        }
        String text = OddText.valid(input, 20);
        List<GoldEvidence> evidence = new ArrayList<>();
        for (String code : codes) {
            if (input.chance(0.3)) {
                evidence.add(new GoldEvidence(code, List.of(span(text, input), span(text, input))));
            }
        }
        return new Document(id, text, codes, evidence);
    }

    /** A span that is not empty and divides no surrogate pair. */
    static Span span(String text, FuzzInput input) {
        int points = text.codePointCount(0, text.length());
        int start = input.below(points);
        int end = input.between(start + 1, points);
        return new Span(text.offsetByCodePoints(0, start), text.offsetByCodePoints(0, end));
    }
}
