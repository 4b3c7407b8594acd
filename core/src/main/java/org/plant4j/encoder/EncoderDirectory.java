package org.plant4j.encoder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.support.UserError;

/**
 * The folder of a pretrained encoder, as {@code plant encoder import} leaves it. Line n of its pieces is id n and row n of
 * its word embedding: first padding, then the unknown piece.
 */
public record EncoderDirectory(Path path) {

    private static final String REMEDY = "make it anew: plant encoder import SOURCE --to ";

    /** Cuts texts into pieces; a file of Hugging Face's tokenizers. */
    public Path tokenizer() {
        return path.resolve("tokenizer.json");
    }

    public Path tokensFile() {
        return path.resolve("pieces.txt");
    }

    public Path weights() {
        return path.resolve("weights.safetensors");
    }

    /** The part of an experiment that names the folder and says its sizes. */
    public Path configFile() {
        return path.resolve("encoder.yaml");
    }

    /** This folder, which must have all that reading texts and starting an encoder takes. */
    public EncoderDirectory requireComplete() {
        if (!Files.isDirectory(path)) {
            throw broken(path, "is not there");
        }
        for (Path file : List.of(tokenizer(), tokensFile(), weights())) {
            if (!Files.isRegularFile(file)) {
                throw broken(path, "has no " + file.getFileName());
            }
        }
        return this;
    }

    /** Its pieces in the order of their ids. */
    public List<String> tokens() {
        try {
            String text = Files.readString(tokensFile());
            // Only a line feed ends a piece: some vocabularies hold other line ends as pieces.
            List<String> pieces =
                    Arrays.asList((text.endsWith("\n") ? text.substring(0, text.length() - 1) : text).split("\n", -1));
            if (pieces.size() < 3 || new HashSet<>(pieces).size() != pieces.size()) {
                throw broken(
                        path,
                        "has too few pieces, or one twice, in " + tokensFile().getFileName());
            }
            return pieces;
        } catch (CharacterCodingException e) {
            throw broken(path, "has pieces that are no UTF-8 text");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + tokensFile(), e);
        }
    }

    /** Copies tensors under their names with this prefix; every one must be there, in its shape. */
    static void copyParameters(Path folder, String prefix, Map<String, Tensor> from, Map<String, Tensor> into) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            into.forEach((name, tensor) -> {
                Tensor source = from.get(prefix + name);
                if (source == null) {
                    throw broken(folder, "has no tensor " + prefix + name);
                }
                if (!Arrays.equals(source.shape(), tensor.shape())) {
                    throw broken(
                            folder,
                            "has " + prefix + name + " of " + Arrays.toString(source.shape()) + ", expected "
                                    + Arrays.toString(tensor.shape()));
                }
                tensor.copy_(source);
            });
        }
    }

    private static UserError broken(Path folder, String how) {
        return new UserError(
                "This is not the folder of a pretrained encoder: it " + how,
                folder.toString(),
                REMEDY + folder + ", and name its encoder.yaml in `extends`");
    }
}
