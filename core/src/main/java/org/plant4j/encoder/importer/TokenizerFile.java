package org.plant4j.encoder.importer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.plant4j.support.UserError;

/**
 * A tokenizer in Hugging Face's format with its pieces by their id; an id without a piece has none. It neither cuts nor
 * pads texts: that is the encoder's matter.
 */
public record TokenizerFile(ObjectNode tokenizer, List<String> tokens, SpecialTokens specialTokens) {

    static final ObjectMapper JSON = new ObjectMapper();

    public TokenizerFile {
        tokens = Collections.unmodifiableList(new ArrayList<>(tokens));
    }

    /** Pieces with a meaning of their own. */
    public record SpecialTokens(String padding, String unknown, String begin, String end, String mask) {

        static final SpecialTokens BERT = new SpecialTokens("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]");
        static final SpecialTokens ROBERTA = new SpecialTokens("<pad>", "<unk>", "<s>", "</s>", "<mask>");

        Set<String> all() {
            return Set.of(padding, unknown, begin, end, mask);
        }
    }

    static TokenizerFile read(Path file) {
        try {
            if (JSON.readTree(file.toFile()) instanceof ObjectNode tokenizer) {
                return of(tokenizer, file);
            }
            throw wrong(file, "it is not a JSON object");
        } catch (JsonProcessingException e) {
            throw wrong(file, "it is not JSON");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** {@code file} is where it came from. */
    static TokenizerFile of(ObjectNode tokenizer, Path file) {
        TreeMap<Integer, String> byId = new TreeMap<>();
        JsonNode vocabulary = tokenizer.path("model").path("vocab");
        if (vocabulary.isArray()) { // Unigram: pairs of piece and score
            for (int id = 0; id < vocabulary.size(); id++) {
                byId.put(id, vocabulary.get(id).path(0).asText());
            }
        }
        for (Map.Entry<String, JsonNode> entry : vocabulary.properties()) {
            byId.put(entry.getValue().asInt(), entry.getKey());
        }
        tokenizer
                .path("added_tokens")
                .forEach(token ->
                        byId.put(token.path("id").asInt(), token.path("content").asText()));
        if (byId.isEmpty()) {
            throw wrong(file, "it has no vocabulary");
        }
        List<String> pieces = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        int last = byId.lastKey();
        for (int id = 0; id <= last; id++) {
            String piece = byId.getOrDefault(id, "");
            pieces.add(seen.add(piece) ? piece : ""); // a second writing could never be met
        }
        tokenizer.putNull("truncation");
        tokenizer.putNull("padding");
        return new TokenizerFile(tokenizer, pieces, special(seen, file));
    }

    private static SpecialTokens special(Set<String> pieces, Path file) {
        for (SpecialTokens special : List.of(SpecialTokens.BERT, SpecialTokens.ROBERTA)) {
            if (pieces.containsAll(special.all())) {
                return special;
            }
        }
        throw wrong(
                file, "it has neither [PAD], [UNK], [CLS], [SEP] and [MASK] nor <pad>, <unk>, <s>, </s> and <mask>");
    }

    /** For each row of ours its id here: padding, unknown, then those wanted in their own order. */
    List<Integer> selectIds(Set<String> wanted) {
        List<Integer> ids = new ArrayList<>();
        ids.add(tokens.indexOf(specialTokens.padding()));
        ids.add(tokens.indexOf(specialTokens.unknown()));
        for (int id = 0; id < tokens.size(); id++) {
            String piece = tokens.get(id);
            boolean first = piece.equals(specialTokens.padding()) || piece.equals(specialTokens.unknown());
            if (!first && !piece.isEmpty() && wanted.contains(piece)) {
                ids.add(id);
            }
        }
        return ids;
    }

    /** Whether a piece is one character, be it the start of a word or not. */
    static boolean isSingleCharacter(String piece) {
        String bare = piece.replaceFirst("^(##|\u2581|\u0120)(?=.)", ""); // WordPiece, SentencePiece, bytes
        return bare.codePointCount(0, bare.length()) == 1;
    }

    void write(Path file) {
        try {
            Files.writeString(file, JSON.writeValueAsString(tokenizer));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    private static UserError wrong(Path file, String why) {
        return new UserError(
                "This is not a tokenizer of BERT's, RoBERTa's or XLM-R's kind: " + why,
                file.toString(),
                "give the tokenizer.json that belongs to the model");
    }
}
