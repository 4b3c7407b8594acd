package org.plant4j.encoder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.CharConversionException;
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
import org.plant4j.UserError;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.FileChecksums;
import org.plant4j.support.StrictJson;

/**
 * The directory of a pretrained encoder, as {@code plant encoder import} writes it. Line n of {@code tokens.txt} is the
 * token with id n, which is row n of the token embedding; padding is first, the unknown token second.
 */
public record EncoderDirectory(Path path) {

    private static final ObjectMapper JSON =
            StrictJson.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** The tokenizer, in the format of Hugging Face Tokenizers. */
    public Path tokenizer() {
        return path.resolve("tokenizer.json");
    }

    public Path tokensFile() {
        return path.resolve("tokens.txt");
    }

    public Path weights() {
        return path.resolve("weights.safetensors");
    }

    /** The section of an experiment that names this directory and states the encoder's sizes. */
    public Path configFile() {
        return path.resolve("encoder.yaml");
    }

    /** Returns this directory if it has all files that tokenizing and encoding need. */
    public EncoderDirectory requireComplete() {
        if (!Files.isDirectory(path)) {
            throw invalid("it does not exist");
        }
        for (Path file : List.of(tokenizer(), tokensFile(), weights())) {
            if (!Files.isRegularFile(file)) {
                throw invalid(file.getFileName() + " is missing");
            }
        }
        return this;
    }

    private Path checksums() {
        return path.resolve("checksums.json");
    }

    /** Stores the checksums of the other files except {@code encoder.yaml}, whose settings may be edited. */
    public void writeChecksums() {
        FileChecksums files = FileChecksums.of(path, List.of(tokenizer(), tokensFile(), weights()));
        AtomicFile.write(checksums(), draft -> Files.writeString(draft, JSON.writeValueAsString(files) + "\n"));
    }

    /** Throws if a file does not match its checksum; encoders of earlier versions have none. */
    public EncoderDirectory verify() {
        requireComplete();
        if (Files.exists(checksums())) {
            readChecksums().firstDamage(path).ifPresent(damage -> {
                throw invalid(damage.what());
            });
        }
        return this;
    }

    private FileChecksums readChecksums() {
        try {
            return JSON.readValue(Files.readAllBytes(checksums()), FileChecksums.class);
        } catch (JsonProcessingException | CharConversionException e) {
            throw invalid(checksums().getFileName() + " is damaged");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + checksums(), e);
        }
    }

    /** The tokens in the order of their ids. */
    public List<String> tokens() {
        try {
            String text = Files.readString(tokensFile());
            // Split at line feeds only: some vocabularies contain other line breaks as tokens.
            List<String> tokens =
                    Arrays.asList((text.endsWith("\n") ? text.substring(0, text.length() - 1) : text).split("\n", -1));
            if (tokens.size() < 3 || new HashSet<>(tokens).size() != tokens.size()) {
                throw invalid(tokensFile().getFileName() + " has fewer than three tokens or a duplicate one");
            }
            return tokens;
        } catch (CharacterCodingException e) {
            throw invalid(tokensFile().getFileName() + " is not UTF-8 text");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + tokensFile(), e);
        }
    }

    /** Copies tensors of this directory, named with a prefix, into parameters; all must be present with the same shape. */
    void copyParameters(String prefix, Map<String, Tensor> from, Map<String, Tensor> into) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            into.forEach((name, tensor) -> {
                Tensor source = from.get(prefix + name);
                if (source == null) {
                    throw invalid("tensor " + prefix + name + " is missing");
                }
                if (!Arrays.equals(source.shape(), tensor.shape())) {
                    throw invalid("tensor " + prefix + name + " has shape " + Arrays.toString(source.shape())
                            + ", expected " + Arrays.toString(tensor.shape()));
                }
                tensor.copy_(source);
            });
        }
    }

    private UserError invalid(String why) {
        return new UserError(
                "Not the directory of a pretrained encoder: " + why,
                path.toString(),
                "import it again: plant encoder import SOURCE --output " + path + ", then set pretrained_encoder: "
                        + path);
    }
}
