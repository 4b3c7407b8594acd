package org.plant4j.corpus.format;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.GoldEvidence;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;

/**
 * A JSON Lines file, one document per line: {@code {"id": "1", "text": "…", "codes": ["I10"], "evidence": [{"code":
 * "I10", "spans": [[5, 17]]}]}}. Spans are in UTF-16 code units; {@code evidence} is optional. Other fields are ignored.
 */
public final class JsonLinesCorpus implements Corpus {

    static final CorpusFormat FORMAT = new CorpusFormat("jsonl", CodeField.OPTION_NAMES, (path, options, badRows) -> {
        CodeField codes = CodeField.of(options);
        return OpenedCorpus.ofPaths(path, file -> new JsonLinesCorpus(file, codes, badRows));
    });

    private final Path file;
    private final CodeField codes;
    private final BadRowHandler badRows;

    public JsonLinesCorpus(Path file, CodeField codes, BadRowHandler badRows) {
        this.file = file;
        this.codes = codes;
        this.badRows = badRows;
    }

    /**
     * Parses documents of a corpus in this format one by one, for readers of their own. Ids must be unique among the
     * documents that one parser reads.
     *
     * @param options those of the format in a corpus config
     */
    public static BiFunction<String, String, Document> parser(Map<String, String> options) {
        CodeField codes = CodeField.of(FORMAT.options(options));
        DocumentChecks checks = new DocumentChecks();
        return (line, where) -> checks.check(new JsonDocument(line, where, codes).read(), where);
    }

    /** A document in this format, without the line break. */
    public static String toJson(Document document) {
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
        return json.toString();
    }

    @Override
    public String name() {
        return String.valueOf(file.getFileName());
    }

    @Override
    public Stream<Document> documents() {
        DocumentChecks checks = new DocumentChecks();
        return TextFiles.lines(file, badRows)
                .flatMap(line -> badRows
                        .tryRead(() ->
                                checks.check(new JsonDocument(line.text(), line.where(), codes).read(), line.where()))
                        .stream());
    }
}
