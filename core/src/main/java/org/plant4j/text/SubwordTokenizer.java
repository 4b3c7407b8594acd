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
import org.plant4j.corpus.Span;
import org.plant4j.support.UserError;

/**
 * The pieces of words that a pretrained encoder reads, cut by Hugging Face's tokenizers: the whole text, and no piece that
 * does not stand in it. A piece's span leaves out the blanks around it. Safe for use by several threads, until closed.
 */
public final class SubwordTokenizer implements Tokenizer {

    private static final String REMEDY = "make it anew: plant encoder import SOURCE --to FOLDER";

    private final ReadWriteLock lock = new ReentrantReadWriteLock(); // no text may be cut while it is freed
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
            throw new UserError("There is no tokenizer", file.toString(), REMEDY, e);
        } catch (IOException | RuntimeException e) {
            String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new UserError("The tokenizer cannot be read: " + why, file.toString(), REMEDY, e);
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
        OffsetConverter places = new OffsetConverter(text);
        return Arrays.stream(characters)
                .map(span -> places.span(span.getStart(), span.getEnd()))
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

    /** From places in code points, as the library counts, to those in UTF-16 units; walks with the pieces through the text. */
    private static final class OffsetConverter {

        private final String text;
        private int point;
        private int unit;

        OffsetConverter(String text) {
            this.text = text;
        }

        Span span(int startPoint, int endPoint) {
            int start = unit(startPoint);
            int end = unit(endPoint);
            int first = start;
            int last = end;
            while (first < last && Character.isWhitespace(text.charAt(first))) {
                first++;
            }
            while (first < last && Character.isWhitespace(text.charAt(last - 1))) {
                last--;
            }
            return first < last ? new Span(first, last) : new Span(start, end); // a blank may be a piece
        }

        private int unit(int wanted) {
            unit = text.offsetByCodePoints(unit, wanted - point); // pieces may go back a little: it need not be forward
            point = wanted;
            return unit;
        }
    }
}
