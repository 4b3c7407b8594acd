package org.plant4j;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.corpus.format.JsonLinesCorpus;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.FileTree;
import org.plant4j.support.Sha256;

/**
 * The documents of a {@link Training} as files, so that the pipeline reads them like any other corpus. The name of their
 * directory is a checksum of their contents: the same documents are the same corpus, and an interrupted training resumes.
 *
 * @param documents by split; if there is only train, it is split by the fractions
 */
record DocumentFiles(
        Map<String, Collection<Document>> documents, Optional<String> fractions, Map<String, String> descriptions) {

    private static final String DESCRIPTIONS = "descriptions.tsv";

    /** Writes the files below a directory, unless they are there, and returns the corpus file. */
    Path write(Path parent) {
        checkGroups();
        Path draft = createDraft(parent);
        try {
            documents.forEach((split, each) -> JsonLinesCorpus.write(draft.resolve(split + ".jsonl"), each));
            if (!descriptions.isEmpty()) {
                AtomicFile.write(draft.resolve(DESCRIPTIONS), file -> Files.write(file, descriptionLines()));
            }
            AtomicFile.write(draft.resolve("corpus.yaml"), file -> Files.write(file, corpusLines()));
            Path directory = parent.resolve("documents-" + checksum(draft));
            if (!Files.exists(directory)) {
                AtomicFile.moveTree(draft, directory);
            }
            return directory.resolve("corpus.yaml");
        } finally {
            FileTree.delete(draft);
        }
    }

    /** A group must not be in two splits: documents of one patient resemble each other. */
    private void checkGroups() {
        Set<String> named =
                all().filter(DocumentFiles::hasGroup).map(Document::group).collect(Collectors.toSet());
        Map<String, String> splits = new HashMap<>();
        documents.forEach((split, each) -> each.stream()
                .map(Document::group)
                .filter(named::contains)
                .forEach(group -> {
                    String first = splits.putIfAbsent(group, split);
                    if (first != null && !first.equals(split)) {
                        throw new UserError(
                                "The group '" + group + "' has documents in " + first + " and in " + split,
                                "documents",
                                "move them to the same split, or give all documents to Training.of,"
                                        + " which keeps groups together");
                    }
                }));
    }

    private Stream<Document> all() {
        return documents.values().stream().flatMap(Collection::stream);
    }

    private static boolean hasGroup(Document document) {
        return !document.group().equals(document.id());
    }

    private static Path createDraft(Path parent) {
        try {
            return Files.createTempDirectory(Files.createDirectories(parent), "documents-draft");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + parent, e);
        }
    }

    private List<String> corpusLines() {
        StringBuilder yaml = new StringBuilder("corpus:\n  format: jsonl\n");
        if (documents.size() > 1) {
            yaml.append("  path: .\n");
            documents.keySet().forEach(split -> yaml.append("  " + split + ": [" + split + ".jsonl]\n"));
        } else {
            yaml.append("  path: train.jsonl\n");
            fractions.ifPresent(shares -> yaml.append("  options: {fractions: " + shares + "}\n"));
            if (all().anyMatch(DocumentFiles::hasGroup)) {
                yaml.append("  columns: {group: group}\n");
            }
        }
        if (!descriptions.isEmpty()) {
            yaml.append("code_sets: [" + DESCRIPTIONS + "]\n");
        }
        return yaml.toString().lines().toList();
    }

    private List<String> descriptionLines() {
        return Stream.concat(
                        Stream.of("code\tdescription"),
                        descriptions.entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(entry -> quoted(entry.getKey()) + "\t" + quoted(entry.getValue())))
                .toList();
    }

    private static String quoted(String text) {
        return '"' + Objects.requireNonNull(text).replaceAll("\\s+", " ").replace("\"", "\"\"") + '"';
    }

    private static String checksum(Path directory) {
        return Sha256.of(FileTree.files(directory).stream()
                        .map(file -> file.getFileName() + " " + Sha256.of(file))
                        .collect(Collectors.joining("\n")))
                .substring(0, 12);
    }
}
