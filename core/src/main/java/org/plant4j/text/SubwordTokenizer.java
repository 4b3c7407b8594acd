package org.plant4j.text;

import ai.djl.huggingface.tokenizers.jni.CharSpan;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.plant4j.Span;
import org.plant4j.UserError;

/**
 * The subword tokenizer of a pretrained encoder, run by Hugging Face tokenizers. It covers the whole text without
 * truncation and adds no special tokens. Spans exclude surrounding white space. Thread-safe until closed.
 */
public final class SubwordTokenizer implements Tokenizer {

    private static final String REMEDY = "import the encoder again: plant encoder import SOURCE --output DIRECTORY";

    private final ReadWriteLock lock = new ReentrantReadWriteLock(); // close() must wait for running tokenize() calls
    private final TokenizersLibrary library;
    private long handle;

    private SubwordTokenizer(TokenizersLibrary library, long handle) {
        this.library = library;
        this.handle = handle;
    }

    /** Opens a {@code tokenizer.json}. */
    public static SubwordTokenizer open(Path file) {
        TokenizersLibrary library = NativeTokenizers.library();
        try {
            long handle = library.createTokenizerFromString(Files.readString(file));
            library.disableTruncation(handle);
            library.disablePadding(handle);
            return new SubwordTokenizer(library, handle);
        } catch (NoSuchFileException e) {
            throw new UserError("The tokenizer file does not exist", file.toString(), REMEDY, e);
        } catch (IOException | RuntimeException e) {
            String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new UserError("Cannot read the tokenizer: " + why, file.toString(), REMEDY, e);
        }
    }

    @Override
    public TokenizedText tokenize(String text) {
        lock.readLock().lock();
        try {
            if (handle == 0) {
                throw new IllegalStateException("the tokenizer is closed");
            }
            long encoding = library.encode(handle, text, false);
            try {
                return new TokenizedText(
                        List.of(library.getTokens(encoding)), spans(text, library.getTokenCharSpans(encoding)));
            } finally {
                library.deleteEncoding(encoding);
            }
        } finally {
            lock.readLock().unlock();
        }
    }

    private static List<Span> spans(String text, CharSpan[] characters) {
        OffsetConverter converter = new OffsetConverter(text);
        return Arrays.stream(characters)
                .map(span -> converter.span(span.getStart(), span.getEnd()))
                .toList();
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (handle != 0) {
                library.deleteTokenizer(handle);
                handle = 0;
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Converts the code point offsets of the library to UTF-16 offsets, moving through the text with the tokens. */
    private static final class OffsetConverter {

        private final String text;
        private int codePoint;
        private int utf16;

        OffsetConverter(String text) {
            this.text = text;
        }

        Span span(int startPoint, int endPoint) {
            int start = toUtf16(startPoint);
            int end = toUtf16(endPoint);
            int first = start;
            int last = end;
            while (first < last && Character.isWhitespace(text.charAt(first))) {
                first++;
            }
            while (first < last && Character.isWhitespace(text.charAt(last - 1))) {
                last--;
            }
            return first < last ? new Span(first, last) : new Span(start, end); // a token may be white space
        }

        private int toUtf16(int target) {
            utf16 = text.offsetByCodePoints(utf16, target - codePoint); // may move backwards, since tokens may overlap
            codePoint = target;
            return utf16;
        }
    }
}
