package org.plant4j.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Writes a small WordPiece tokenizer in the Hugging Face format; token ids are list indices. */
public final class TestWordPieces {

    private static final ObjectMapper JSON = new ObjectMapper();

    private TestWordPieces() {}

    /** The special tokens of BERT followed by the given tokens. */
    public static List<String> with(List<String> others) {
        return Stream.concat(Stream.of("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"), others.stream())
                .toList();
    }

    /** Keeps case and accents. The file asks for truncation to four tokens, as files of encoders often do. */
    public static Path write(Path file, List<String> tokens) {
        ObjectNode json = JSON.createObjectNode().put("version", "1.0");
        json.putObject("truncation")
                .put("direction", "Right")
                .put("max_length", 4)
                .put("strategy", "LongestFirst")
                .put("stride", 0);
        json.putNull("padding");
        var added = json.putArray("added_tokens");
        for (int id = 0; id < 5; id++) {
            added.addObject()
                    .put("id", id)
                    .put("content", tokens.get(id))
                    .put("single_word", false)
                    .put("lstrip", false)
                    .put("rstrip", false)
                    .put("normalized", false)
                    .put("special", true);
        }
        json.putObject("normalizer")
                .put("type", "BertNormalizer")
                .put("clean_text", true)
                .put("handle_chinese_chars", true)
                .put("strip_accents", false)
                .put("lowercase", false);
        json.putObject("pre_tokenizer").put("type", "BertPreTokenizer");
        json.putNull("post_processor");
        json.putObject("decoder").put("type", "WordPiece").put("prefix", "##").put("cleanup", true);
        ObjectNode model = json.putObject("model")
                .put("type", "WordPiece")
                .put("unk_token", "[UNK]")
                .put("continuing_subword_prefix", "##")
                .put("max_input_chars_per_word", 100);
        ObjectNode vocabulary = model.putObject("vocab");
        for (int id = 0; id < tokens.size(); id++) {
            vocabulary.put(tokens.get(id), id);
        }
        try {
            return Files.writeString(file, JSON.writeValueAsString(json));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
