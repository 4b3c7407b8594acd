package org.plant4j.encoder.importer;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.plant4j.UserError;

/** A SentencePiece unigram model: pieces with their log-probabilities, and the normalization of the text. */
record SentencePieceModel(List<Piece> pieces, String charsmap) {

    // ModelProto
    private static final int PIECE = 1;
    private static final int TRAINER = 2;
    private static final int NORMALIZER = 3;

    // SentencePiece, TrainerSpec, NormalizerSpec
    private static final int TEXT = 1;
    private static final int SCORE = 2;
    private static final int MODEL_TYPE = 3;
    private static final int CHARSMAP = 2;
    private static final int UNIGRAM = 1;

    record Piece(String text, float score) {}

    SentencePieceModel {
        pieces = List.copyOf(pieces);
    }

    static SentencePieceModel read(Path file) {
        ProtoMessage model = ProtoMessage.open(file);
        long type = model.field(TRAINER)
                .map(spec -> spec.message().number(MODEL_TYPE, UNIGRAM))
                .orElse((long) UNIGRAM);
        if (type != UNIGRAM) {
            throw new UserError(
                    "Not a SentencePiece unigram model",
                    file.toString(),
                    "provide the tokenizer.json of the model instead");
        }
        List<Piece> pieces = new ArrayList<>();
        model.fields(PIECE).stream()
                .map(ProtoMessage.Field::message)
                .forEach(piece -> pieces.add(new Piece(
                        piece.text(TEXT),
                        piece.field(SCORE).map(ProtoMessage.Field::asFloat).orElse(0f))));
        if (pieces.isEmpty()) {
            throw new UserError(
                    "Not a SentencePiece model: it has no pieces", file.toString(), "copy or download it again");
        }
        String charsmap = model.field(NORMALIZER)
                .flatMap(spec -> spec.message().field(CHARSMAP))
                .map(field -> base64(field.bytes()))
                .orElse("");
        return new SentencePieceModel(pieces, charsmap);
    }

    private static String base64(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return Base64.getEncoder().encodeToString(copy);
    }
}
