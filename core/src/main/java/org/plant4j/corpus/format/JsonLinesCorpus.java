package org.plant4j.corpus.format;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;
import org.plant4j.support.AtomicFile;

/**
 * A JSON Lines file, one document per line: {@code {"id": "1", "text": "…", "codes": ["I10"], "evidence": [{"code":
 * "I10", "spans": [[5, 17]]}]}}. Spans are in UTF-16 code units; {@code evidence} is optional. Other fields are ignored.
 */
public final class JsonLinesCorpus implements Corpus {

    static final CorpusFormat FORMAT =
            CorpusFormat.ofTables("jsonl", CodeField.OPTION_NAMES, (path, options, badRows) -> {
                CodeField codes = CodeField.of(options);
                TableLayout layout = TableLayout.of(options);
                return OpenedCorpus.ofTables(
                        path, layout, (file, split) -> new JsonLinesCorpus(file, layout, codes, badRows, split));
            });

    private final Path file;
    private final TableLayout layout;
    private final CodeField codes;
    private final BadRowHandler badRows;
    private final Optional<String> split;

    public JsonLinesCorpus(Path file, CodeField codes, BadRowHandler badRows) {
        this(file, TableLayout.DEFAULT, codes, badRows, Optional.empty());
    }

    private JsonLinesCorpus(
            Path file, TableLayout layout, CodeField codes, BadRowHandler badRows, Optional<String> split) {
        this.file = file;
        this.layout = layout;
        this.codes = codes;
        this.badRows = badRows;
        this.split = split;
    }

    /**
     * Parses documents of a corpus in this format one by one, for other readers. Documents must have ids, unique
     * among those that one parser reads.
     */
    public static BiFunction<String, String, Document> parser(CorpusConfig config) {
        FormatOptions options = named(config).options(config);
        CodeField codes = CodeField.of(options);
        TableLayout layout = TableLayout.of(options);
        DocumentChecks checks = new DocumentChecks();
        SplitFilter all = new SplitFilter(Optional.empty(), List.of());
        return (line, where) -> checks.check(
                new JsonDocument(line, where, layout, codes, Optional.empty())
                        .read(all)
                        .orElseThrow(),
                where);
    }

    /** Parquet files have the fields and options of this format. */
    private static CorpusFormat named(CorpusConfig config) {
        return CorpusFormats.named(config.format());
    }

    /** A document in this format, without the line break. */
    public static String toJson(Document document) {
        return toJson(document, !document.group().equals(document.id()));
    }

    private static String toJson(Document document, boolean withGroup) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("id", document.id()).put("text", document.text());
        ArrayNode codes = json.putArray("codes");
        document.codes().forEach(codes::add);
        if (!document.evidence().isEmpty()) {
            ArrayNode all = json.putArray("evidence");
            for (GoldEvidence evidence : document.evidence()) {
                ArrayNode spans = all.addObject().put("code", evidence.code()).putArray("spans");
                evidence.spans()
                        .forEach(span -> spans.addArray().add(span.start()).add(span.end()));
            }
        }
        if (withGroup) {
            json.put("group", document.group());
        }
        return json.toString();
    }

    /**
     * Writes documents that a program holds; they must have what documents of files must have. If one has another group than
     * its id, all get the field {@code group}.
     */
    public static void write(Path file, Collection<Document> documents) {
        DocumentChecks checks = new DocumentChecks();
        boolean withGroup =
                documents.stream().anyMatch(document -> !document.group().equals(document.id()));
        AtomicFile.write(file, draft -> {
            try (BufferedWriter out = Files.newBufferedWriter(draft)) {
                for (Document document : documents) {
                    String where = "document " + document.id();
                    checks.check(document, where);
                    CodeField.REQUIRED.parse(document.codes(), where);
                    out.write(toJson(document, withGroup));
                    out.write('\n');
                }
            }
        });
    }

    @Override
    public String name() {
        return String.valueOf(file.getFileName());
    }

    @Override
    public Stream<Document> documents() {
        Pass pass = new Pass();
        return pass.filter.checked(
                TextFiles.lines(file, layout.encoding(), badRows)
                        .flatMap(line -> badRows.tryRead(() -> pass.read(line)).stream())
                        .flatMap(Optional::stream),
                file);
    }

    /** One pass over the file: either all documents have an id or none. */
    private final class Pass {

        private final DocumentChecks checks = new DocumentChecks();
        private final SplitFilter filter = new SplitFilter(split, layout.subsets());
        private Optional<Boolean> hasIds = Optional.empty();

        Optional<Document> read(TextFiles.Line line) {
            Optional<String> lineId = Optional.of(layout.lineId(file, line.number()));
            JsonDocument json = new JsonDocument(line.text(), line.where(), layout, codes, lineId);
            Optional<Document> document = json.read(filter);
            document.ifPresent(read -> {
                if (hasIds.isPresent() && hasIds.get() != json.hasId()) {
                    throw new UserError(
                            "Some documents of this file have an id, and others have none",
                            line.where(),
                            "give all documents an id, or none");
                }
                hasIds = Optional.of(json.hasId());
                checks.check(read, line.where());
            });
            return document;
        }
    }
}
