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

/** A made-up WordPiece tokenizer in a file of Hugging Face's kind; ids are places in the list. */
public final class TestWordPieces {

    private static final ObjectMapper JSON = new ObjectMapper();

    private TestWordPieces() {}

    /** Padding, unknown, begin, end and mask, then the others. */
    public static List<String> with(List<String> others) {
        return Stream.concat(Stream.of("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"), others.stream())
                .toList();
    }

    /** Case and accents stay as they are. It is to cut off after four pieces, as files of encoders often say. */
    public static Path write(Path file, List<String> pieces) {
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
                    .put("content", pieces.get(id))
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
        for (int id = 0; id < pieces.size(); id++) {
            vocabulary.put(pieces.get(id), id);
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
