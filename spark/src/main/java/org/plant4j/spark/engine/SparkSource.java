package org.plant4j.spark.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import org.plant4j.Document;
import org.plant4j.Progress;
import org.plant4j.corpus.Corpus;
import org.plant4j.preparation.CorpusDocuments;
import org.plant4j.preparation.DocumentEncoder;
import org.plant4j.preparation.DocumentSource;
import org.plant4j.preparation.GoldLabels;
import org.plant4j.preparation.TextFilter;
import org.plant4j.text.EncodedDocument;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.Vocabulary;
import scala.Tuple2;

/** Documents in the partitions of an RDD, in corpus order. Each partition is a small corpus to the code of one machine. */
final class SparkSource implements DocumentSource {

    /** Partitions of encoded documents that the driver holds at a time; each fetch is a job. */
    private static final int FETCHED_TOGETHER = 16;

    private final String name;
    private final JavaSparkContext context;
    private final JavaRDD<Document> documents;
    private final TokenizerOpener tokenizer;

    SparkSource(String name, JavaSparkContext context, JavaRDD<Document> documents, TokenizerOpener tokenizer) {
        this.name = name;
        this.context = context;
        this.documents = documents;
        this.tokenizer = tokenizer;
    }

    @Override
    public String name() {
        return name;
    }

    /** The documents of a partition, which can be streamed once. */
    private record Partition(Iterator<Document> iterator) implements Corpus {

        @Override
        public String name() {
            return "partition";
        }

        @Override
        public Stream<Document> documents() {
            return stream(iterator);
        }
    }

    static <T> Stream<T> stream(Iterator<T> iterator) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator, 0), false);
    }

    /** For arrays of RDDs, which Java cannot create with their type. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    static IntFunction<JavaRDD<Document>[]> rdds() {
        return JavaRDD[]::new;
    }

    private static CorpusDocuments open(Iterator<Document> partition, TokenizerOpener opener) {
        return new CorpusDocuments(new Partition(partition), opener.openForTask(), Progress.NONE);
    }

    @Override
    public void count(TextFilter filter, Vocabulary.Builder tokens, Map<String, Integer> documentsByCode) {
        TokenizerOpener opener = tokenizer;
        Broadcast<TextFilter> shared = context.broadcast(filter);
        documents
                .mapPartitionsToPair(partition -> counts(open(partition, opener), shared.value()))
                .reduceByKey(Math::addExact, reducers())
                .toLocalIterator()
                .forEachRemaining(entry -> {
                    String counted = entry._1()._2();
                    if (entry._1()._1()) {
                        documentsByCode.merge(counted, Math.toIntExact(entry._2()), Math::addExact);
                    } else {
                        tokens.add(counted, entry._2());
                    }
                });
        shared.destroy();
    }

    /** Each reducer is read in turn, so there are only as many as the cluster can use. */
    private int reducers() {
        return Math.max(1, Math.min(documents.getNumPartitions(), 2 * context.defaultParallelism()));
    }

    /** The counts of a partition: keys are codes (true) and tokens (false). */
    private static Iterator<Tuple2<Tuple2<Boolean, String>, Long>> counts(
            CorpusDocuments partition, TextFilter filter) {
        List<Tuple2<Tuple2<Boolean, String>, Long>> counts = new ArrayList<>();
        Map<String, Integer> codes = new HashMap<>();
        try (Vocabulary.Builder tokens = new Vocabulary.Builder()) {
            partition.count(filter, tokens, codes);
            tokens.forEach((token, count) -> counts.add(new Tuple2<>(new Tuple2<>(false, token), count)));
        }
        codes.forEach((code, count) -> counts.add(new Tuple2<>(new Tuple2<>(true, code), (long) count)));
        return counts.iterator();
    }

    @Override
    public Set<Long> fingerprints() {
        TokenizerOpener opener = tokenizer;
        return new HashSet<>(documents
                .mapPartitions(
                        partition -> open(partition, opener).fingerprints().iterator())
                .collect());
    }

    @Override
    public void assignIds(GoldLabels labels) {
        Broadcast<GoldLabels> shared = context.broadcast(labels);
        List<String> codes = documents
                .mapPartitions(partition -> {
                    Set<String> found = new LinkedHashSet<>();
                    partition.forEachRemaining(document -> found.addAll(document.codes()));
                    found.removeIf(shared.value()::isIndexed);
                    return found.iterator();
                })
                .collect(); // in the order of partitions
        shared.destroy();
        codes.forEach(labels::id);
    }

    @Override
    public void encode(DocumentEncoder encoder, Consumer<EncodedDocument> sink) {
        JavaRDD<EncodedDocument> encoded = encoded(encoder).persist(StorageLevel.MEMORY_AND_DISK_SER());
        encoded.count(); // computes all partitions in parallel
        int partitions = encoded.getNumPartitions();
        for (int start = 0; start < partitions; start += FETCHED_TOGETHER) {
            int[] some = IntStream.range(start, Math.min(partitions, start + FETCHED_TOGETHER))
                    .toArray();
            for (List<EncodedDocument> partition : encoded.collectPartitions(some)) {
                partition.forEach(sink);
            }
        }
        encoded.unpersist();
    }

    /** The encoded documents in corpus order. */
    JavaRDD<EncodedDocument> encoded(DocumentEncoder encoder) {
        TokenizerOpener opener = tokenizer;
        Broadcast<DocumentEncoder> shared = context.broadcast(encoder);
        return documents.mapPartitions(partition -> {
            Tokenizer words = opener.openForTask();
            return stream(partition)
                    .flatMap(document -> shared.value().encode(document, words.tokenize(document.text())).stream())
                    .iterator();
        });
    }
}
