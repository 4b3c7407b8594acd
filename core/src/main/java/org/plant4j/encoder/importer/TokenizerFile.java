package org.plant4j.encoder.importer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.CharConversionException;
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
import org.plant4j.UserError;

/**
 * A tokenizer in the format of Hugging Face Tokenizers, with its tokens by id; unused ids have an empty token. Truncation and
 * padding are disabled, since the encoder handles both.
 */
record TokenizerFile(ObjectNode tokenizer, List<String> tokens, SpecialTokens specialTokens) {

    static final ObjectMapper JSON = new ObjectMapper();

    TokenizerFile {
        tokens = Collections.unmodifiableList(new ArrayList<>(tokens));
    }

    private static final int MAX_TOKENS = 10_000_000; // more than any published vocabulary has

    /** Tokens with a special meaning. */
    record SpecialTokens(String padding, String unknown, String begin, String end, String mask) {

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
        } catch (JsonProcessingException | CharConversionException e) {
            throw wrong(file, "it is not JSON");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Reads the tokens; {@code file} is named in errors. */
    static TokenizerFile of(ObjectNode tokenizer, Path file) {
        TreeMap<Integer, String> byId = new TreeMap<>();
        JsonNode vocabulary = tokenizer.path("model").path("vocab");
        if (vocabulary.isArray()) { // Unigram: pairs of token and score
            for (int id = 0; id < vocabulary.size(); id++) {
                byId.put(id, vocabulary.get(id).path(0).asText());
            }
        }
        for (Map.Entry<String, JsonNode> entry : vocabulary.properties()) {
            byId.put(tokenId(entry.getValue(), file), entry.getKey());
        }
        tokenizer
                .path("added_tokens")
                .forEach(token -> byId.put(
                        tokenId(token.path("id"), file), token.path("content").asText()));
        if (byId.isEmpty()) {
            throw wrong(file, "it has no vocabulary");
        }
        List<String> tokens = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        int last = byId.lastKey();
        for (int id = 0; id <= last; id++) {
            String token = byId.getOrDefault(id, "");
            tokens.add(seen.add(token) ? token : ""); // a duplicate is never produced
        }
        tokenizer.putNull("truncation");
        tokenizer.putNull("padding");
        return new TokenizerFile(tokenizer, tokens, specialTokens(seen, file));
    }

    /** A missing or wrong id would otherwise be read as 0 and replace the first token. */
    static int tokenId(JsonNode id, Path file) {
        if (!id.isInt() || id.intValue() < 0 || id.intValue() >= MAX_TOKENS) {
            throw wrong(file, "a token has no id between 0 and " + (MAX_TOKENS - 1));
        }
        return id.intValue();
    }

    private static SpecialTokens specialTokens(Set<String> tokens, Path file) {
        for (SpecialTokens special : List.of(SpecialTokens.BERT, SpecialTokens.ROBERTA)) {
            if (tokens.containsAll(special.all())) {
                return special;
            }
        }
        throw wrong(
                file, "it has neither [PAD], [UNK], [CLS], [SEP] and [MASK] nor <pad>, <unk>, <s>, </s> and <mask>");
    }

    /** Ids of our rows: padding, unknown, then the other tokens to keep in their order. */
    List<Integer> selectIds(Set<String> kept) {
        List<Integer> ids = new ArrayList<>();
        ids.add(tokens.indexOf(specialTokens.padding()));
        ids.add(tokens.indexOf(specialTokens.unknown()));
        for (int id = 0; id < tokens.size(); id++) {
            String token = tokens.get(id);
            boolean first = token.equals(specialTokens.padding()) || token.equals(specialTokens.unknown());
            if (!first && !token.isEmpty() && kept.contains(token)) {
                ids.add(id);
            }
        }
        return ids;
    }

    /** Whether a token is a single character, at the start of a word or not. */
    static boolean isSingleCharacter(String token) {
        String bare = token.replaceFirst("^(##|\u2581|\u0120)(?=.)", ""); // WordPiece, SentencePiece, byte-level BPE
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
                "Not a BERT, RoBERTa or XLM-R tokenizer: " + why,
                file.toString(),
                "use the tokenizer.json that belongs to the model");
    }
}
