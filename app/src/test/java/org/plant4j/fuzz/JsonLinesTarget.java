package org.plant4j.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.plant4j.Document;
import org.plant4j.corpus.format.JsonLinesCorpus;

/** The JSON Lines reader. */
final class JsonLinesTarget implements FuzzTarget {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;

    JsonLinesTarget(Path directory) {
        this.directory = directory;
    }

    @Override
    public String name() {
        return "jsonl";
    }

    @Override
    public Outcome test(FuzzInput input) throws JsonProcessingException {
        List<Document> documents = RandomDocuments.of(input, 4);
        List<JsonNode> trees = new ArrayList<>();
        for (Document document : documents) {
            trees.add(JSON.readTree(JsonLinesCorpus.toJson(document)));
        }
        return switch (input.below(4)) {
            case 0 -> rewritten(documents, trees, input);
            case 1 -> damagedArchive(documents, bytes(trees, input), input);
            case 2 -> {
                int changed = input.below(trees.size());
                trees.set(changed, JsonMutator.mutate(trees.get(changed), input));
                yield check(bytes(trees, input), input);
            }
            default -> check(ByteMutator.mutate(bytes(trees, input), input), input);
        };
    }

    private Outcome rewritten(List<Document> documents, List<JsonNode> trees, FuzzInput input) {
        byte[] bytes = bytes(trees, input);
        Supplier<List<Document>> reader = reader(input.chance(0.3) ? CorpusFiles.gzip(bytes, input) : bytes, input);
        SilentDifference.check(documents, FuzzInput.accepted(reader));
        return Outcome.SAME;
    }

    /** Any damage to compressed data is an error, or changes nothing. */
    private Outcome damagedArchive(List<Document> documents, byte[] bytes, FuzzInput input) {
        byte[] archive = CorpusFiles.gzip(bytes, input);
        byte[] damaged = ByteMutator.flipBit(archive, input.below(archive.length), input);
        SilentDifference.check(documents, reader(damaged, input).get());
        return Outcome.SAME;
    }

    private Outcome check(byte[] bytes, FuzzInput input) {
        return StrictJsonLines.check(bytes).check(reader(bytes, input));
    }

    private Supplier<List<Document>> reader(byte[] bytes, FuzzInput input) {
        input.step("read " + new String(bytes, StandardCharsets.UTF_8));
        Path file =
                new CorpusFiles().put("documents.jsonl", bytes).write(directory).resolve("documents.jsonl");
        return () -> CorpusFiles.read("jsonl", file, Map.of());
    }

    /** The documents with any order of fields, white space, escapes and line ends. */
    private static byte[] bytes(List<JsonNode> trees, FuzzInput input) {
        String lineEnd = input.pick("\n", "\r\n", "\n\n", "\n \n");
        StringBuilder lines = new StringBuilder(input.chance(0.1) ? "\uFEFF" : "");
        for (int i = 0; i < trees.size(); i++) {
            boolean last = i == trees.size() - 1;
            lines.append(JsonWriter.writeLine(trees.get(i), input)).append(last && input.chance(0.3) ? "" : lineEnd);
        }
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }
}
