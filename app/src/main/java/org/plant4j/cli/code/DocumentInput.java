package org.plant4j.cli.code;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.RunDirectory;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A run and the documents to code: an argument, files, or standard input. */
public final class DocumentInput {

    private static final String STANDARD_INPUT = "-";

    /** UTF-8 has at most three bytes per UTF-16 code unit. */
    private static final int MAX_BYTES_PER_CHARACTER = 3;

    @Parameters(
            index = "0",
            paramLabel = "RUN",
            description = "Run directory, such as runs/laat@demo, or pretrained model, such as codiesp-d.")
    private Path run;

    @Option(names = "--text", paramLabel = "TEXT", description = "Text of one document.")
    private Optional<String> text = Optional.empty();

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "FILE",
            description = "UTF-8 text files, one document each; - or none for standard input. plant predict also reads"
                    + " corpora: .jsonl, .csv and .tsv files, and directories of text files.")
    private List<String> files = List.of();

    RunDirectory run() {
        return RunArgument.locate(run);
    }

    boolean isGiven() {
        return text.isPresent() || !files.isEmpty();
    }

    List<String> files() {
        return files;
    }

    /** Whether the files are corpora: tables of documents, or directories. */
    boolean isCorpus() {
        long corpora = files.stream().filter(DocumentInput::isCorpus).count();
        if (corpora > 0 && corpora < files.size()) {
            throw new UserError(
                    "Some files are corpora, and others are single documents",
                    String.join(", ", files),
                    "code them with two commands");
        }
        return corpora > 0;
    }

    private static boolean isCorpus(String file) {
        return !file.equals(STANDARD_INPUT)
                && (CorpusFormats.inferFromName(file).isPresent() || Files.isDirectory(Path.of(file)));
    }

    int size() {
        return Math.max(1, files.size());
    }

    /** Reads each document when the stream reaches it. */
    Stream<InputDocument> documents(CommonOptions common) {
        if (text.isPresent()) {
            if (!files.isEmpty()) {
                throw new UserError("Both a text and files are given", "--text", "drop one of them");
            }
            return Stream.of(validated("text", "--text", text.get()));
        }
        List<String> sources = files.isEmpty() ? List.of(STANDARD_INPUT) : files;
        Set<String> seen = new HashSet<>();
        sources.stream().filter(file -> !seen.add(file)).findFirst().ifPresent(file -> {
            throw new UserError("The document is given twice", where(file), "give each document once");
        });
        if (sources.contains(STANDARD_INPUT) && Boolean.getBoolean("plant.terminal.in")) {
            common.info("Reading a document from the keyboard; finish with Ctrl-D on an empty line.");
        }
        Map<String, Long> ids =
                sources.stream().collect(Collectors.groupingBy(DocumentInput::id, Collectors.counting()));
        return sources.stream().map(file -> {
            InputDocument document = read(file);
            // The path distinguishes files of the same name.
            return ids.getOrDefault(document.id(), 1L) > 1 ? new InputDocument(file, document.text()) : document;
        });
    }

    /** Reads a document. */
    public static InputDocument read(String file) {
        if (file.matches("(?i).*\\.(json|parquet|xlsx?|docx?|pdf|rtf|odt|html?|xml)")) {
            throw new UserError(
                    "This is not a text file",
                    where(file),
                    file.matches("(?i).*\\.json")
                            ? "convert it to JSON lines, for example with jq -c '.[]' (then end its name with .jsonl);"
                                    + " code a FHIR resource with --fhir " + file
                            : "save documents as .txt, and tables as .csv");
        }
        String text = text(file, Document.MAX_CHARACTERS);
        return validated(id(file), where(file), text);
    }

    /** Reads the text of a file or of standard input; a longer one is an error before all of it is in memory. */
    static String text(String file, int maxCharacters) {
        if (!file.equals(STANDARD_INPUT) && Files.isDirectory(Path.of(file))) {
            throw new UserError(
                    "This is a directory, not a document",
                    file,
                    "code a directory of text files with: --format text --corpus " + file);
        }
        try (InputStream in = file.equals(STANDARD_INPUT) ? System.in : Files.newInputStream(Path.of(file))) {
            int maxBytes = MAX_BYTES_PER_CHARACTER * maxCharacters;
            byte[] bytes = in.readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                throw TextFiles.tooLong(maxCharacters, where(file));
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.length() > maxCharacters) {
                throw TextFiles.tooLong(maxCharacters, where(file));
            }
            return text;
        } catch (CharacterCodingException e) {
            throw new UserError(
                    "This is not UTF-8 text",
                    where(file),
                    "convert it, for example with iconv -f ISO-8859-1 -t UTF-8; save PDF and Word files as text",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String where(String file) {
        return file.equals(STANDARD_INPUT) ? "standard input" : file;
    }

    private static String id(String file) {
        String name = String.valueOf(Path.of(file).getFileName());
        return name.endsWith(".txt") ? name.substring(0, name.length() - ".txt".length()) : name;
    }

    private static InputDocument validated(String id, String where, String text) {
        if (text.isBlank()) {
            throw new UserError("The document is empty", where, "give a text to code");
        }
        if (text.length() > Document.MAX_CHARACTERS) {
            throw TextFiles.tooLong(Document.MAX_CHARACTERS, where);
        }
        if (text.indexOf('\0') >= 0) {
            throw new UserError("This is a binary file", where, "give plain text");
        }
        if (text.codePoints().noneMatch(Character::isLetter)) {
            throw new UserError("The document has no words", where, "give a text to code");
        }
        return new InputDocument(id, text);
    }
}
