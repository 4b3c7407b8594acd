package org.plant4j.preparation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;
import org.plant4j.Progress;
import org.plant4j.Span;
import org.plant4j.corpus.Corpus;
import org.plant4j.text.EncodedDocument;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.Vocabulary;
import org.plant4j.text.WordTokenizer;

/** Prepares a corpus as a cluster does, in partitions that share nothing but serialized values. */
class PartitionedPreparationTest {

    private record ListCorpus(String name, List<Document> list) implements Corpus {
        @Override
        public Stream<Document> documents() {
            return list.stream();
        }
    }

    /** Documents in partitions, some of them empty; sums are taken in random order, the rest in corpus order. */
    private record Partitions(List<DocumentSource> parts, Random random) implements DocumentSource {

        static Partitions of(List<Document> documents, int count, Random random) {
            int[] bounds = IntStream.concat(
                            IntStream.of(0, documents.size()), random.ints(count - 1, 0, documents.size() + 1))
                    .sorted()
                    .toArray();
            return new Partitions(
                    IntStream.range(0, count)
                            .mapToObj(i -> source(documents.subList(bounds[i], bounds[i + 1])))
                            .toList(),
                    random);
        }

        private List<DocumentSource> shuffled() {
            List<DocumentSource> shuffled = new ArrayList<>(parts);
            Collections.shuffle(shuffled, random);
            return shuffled;
        }

        @Override
        public String name() {
            return "partitions";
        }

        @Override
        public void count(TextFilter filter, Vocabulary.Builder tokens, Map<String, Integer> documentsByCode) {
            for (DocumentSource part : shuffled()) {
                Map<String, Integer> codes = new HashMap<>();
                try (Vocabulary.Builder partial = new Vocabulary.Builder(5)) {
                    part.count(copy(filter), partial, codes);
                    partial.forEach(tokens::add);
                }
                codes.forEach((code, count) -> documentsByCode.merge(code, count, Integer::sum));
            }
        }

        @Override
        public Set<Long> fingerprints() {
            Set<Long> all = new HashSet<>();
            shuffled().forEach(part -> all.addAll(part.fingerprints()));
            return all;
        }

        @Override
        public void assignIds(GoldLabels labels) {
            parts.forEach(part -> ((CorpusDocuments) part)
                    .corpus()
                    .documents()
                    .forEachOrdered(document -> document.codes().forEach(labels::id)));
        }

        @Override
        public void encode(DocumentEncoder encoder, Consumer<EncodedDocument> sink) {
            parts.forEach(part -> part.encode(copy(encoder), document -> sink.accept(copy(document))));
        }
    }

    private static DocumentSource source(List<Document> documents) {
        return new CorpusDocuments(new ListCorpus("documents", documents), new WordTokenizer(), Progress.NONE);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Serializable> T copy(T value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                return (T) in.readObject();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private final Map<String, List<Document>> splits = new LinkedHashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void anyPartitionOfTheDocumentsGivesTheSameFiles(long seed, @TempDir Path directory) {
        Random random = new Random(seed);
        splits.put("train", documents("t", 30, 12, random));
        splits.put("dev", documents("d", 9, 20, random)); // with codes that training does not have
        splits.put("test", documents("e", 1, 20, random));
        List<Document> unlabelled = new ArrayList<>(documents("u", 10, 1, random));
        unlabelled.addAll(splits.get("dev").subList(0, 3)); // their texts must be left out
        splits.put("unlabelled", unlabelled);

        prepare(directory.resolve("whole"), PartitionedPreparationTest::source);
        for (int partitions : new int[] {1, 2, 7, 50}) { // 50: most are empty
            Path path = directory.resolve("p" + partitions);
            prepare(path, documents -> Partitions.of(documents, partitions, random));
            for (String file : List.of(
                    "vocabulary.tsv",
                    "labels.tsv",
                    "train.tokens",
                    "dev.tokens",
                    "test.tokens",
                    "unlabelled.tokens",
                    "passages.tokens")) {
                assertThat(path.resolve(file))
                        .hasSameBinaryContentAs(directory.resolve("whole").resolve(file));
            }
        }
        assertThat(PreparedCorpus.open(directory.resolve("whole"))
                        .split("unlabelled")
                        .size())
                .isEqualTo(10);
    }

    private void prepare(Path directory, Function<List<Document>, DocumentSource> source) {
        Map<String, DocumentSource> evaluation = new LinkedHashMap<>();
        evaluation.put("dev", source.apply(splits.get("dev")));
        evaluation.put("test", source.apply(splits.get("test")));
        DocumentSource train = source.apply(splits.get("train"));
        PreparedCorpus prepared = new CorpusPreparer(CorpusPreparer.Options.of(new CorpusPreparer.Limits(2, 60, 2)))
                .prepare(
                        new CorpusPreparer.Inputs(
                                train, evaluation, Optional.of(source.apply(splits.get("unlabelled")))),
                        directory);
        CorpusPreparer.writePassages(prepared, train, 3);
    }

    /** Texts of up to 30 tokens, codes (some documents have none), and evidence for each code. */
    private static List<Document> documents(String prefix, int count, int codes, Random random) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    String text = prefix + " "
                            + random.ints(random.nextInt(30), 0, 80)
                                    .mapToObj(bound -> "w" + random.nextInt(bound + 1))
                                    .collect(Collectors.joining(" "));
                    Set<String> gold = random.ints(random.nextInt(4), 0, codes)
                            .mapToObj(code -> "C" + code)
                            .collect(Collectors.toSet());
                    return new Document(
                            prefix + i,
                            text,
                            gold,
                            gold.stream()
                                    .map(code -> new GoldEvidence(code, List.of(new Span(0, 1))))
                                    .toList());
                })
                .toList();
    }
}
