package org.plant4j.spark.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.Relevance;
import org.plant4j.rank.TokenLabelIndex;
import org.plant4j.rank.TopTokens;
import org.plant4j.text.Dataset;
import org.plant4j.text.DocumentCounts;
import org.plant4j.text.DocumentFrequencies;
import org.plant4j.text.EncodedDocument;
import scala.Tuple2;

/**
 * Mutual information of tokens and labels. Each partition counts its documents per label, the shuffle adds the counts up,
 * and each label is ranked where its counts are. Documents of all labels together are counted as one more label.
 */
record InformationJob(MutualInformation information, int vocabularySize, int labels) {

    /** The documents of a partition in memory. */
    private record PartitionDataset(List<EncodedDocument> documents) implements Dataset {

        @Override
        public int size() {
            return documents.size();
        }

        @Override
        public int[] tokens(int document) {
            return documents.get(document).tokens();
        }

        @Override
        public int[] labels(int document) {
            return documents.get(document).labels();
        }
    }

    Relevance run(JavaSparkContext context, JavaRDD<EncodedDocument> documents) {
        int vocabulary = vocabularySize; // tasks must not refer to this object
        int allDocuments = labels;
        MutualInformation measure = information;
        JavaPairRDD<Integer, DocumentCounts> counts = documents
                .mapPartitionsToPair(partition -> count(partition, vocabulary, allDocuments))
                .reduceByKey(DocumentCounts::plus)
                .persist(StorageLevel.MEMORY_AND_DISK_SER());
        DocumentCounts all =
                counts.lookup(allDocuments).stream().findFirst().orElse(new DocumentCounts(0, new int[0], new int[0]));
        Broadcast<DocumentFrequencies> frequencies = context.broadcast(all.toFrequencies(vocabulary));
        TopTokens[] top = new TopTokens[labels];
        Arrays.fill(top, TopTokens.NONE); // labels without documents have no counts
        counts.filter(label -> label._1() < allDocuments)
                .mapValues(label -> measure.topTokens(label, frequencies.value()))
                .collect()
                .forEach(label -> top[label._1()] = label._2());
        frequencies.destroy();
        counts.unpersist();
        return Relevance.of(Arrays.asList(top));
    }

    /** Counts one label after another as they are read; nothing if the partition is empty. */
    private static Iterator<Tuple2<Integer, DocumentCounts>> count(
            Iterator<EncodedDocument> partition, int vocabularySize, int labels) {
        List<EncodedDocument> documents = new ArrayList<>();
        partition.forEachRemaining(documents::add);
        TokenLabelIndex index = TokenLabelIndex.of(new PartitionDataset(documents), vocabularySize, labels);
        DocumentCounts.Counter counter = new DocumentCounts.Counter(vocabularySize);
        return IntStream.rangeClosed(0, labels)
                .filter(label -> label == labels ? !documents.isEmpty() : index.labelFrequency(label) > 0)
                .mapToObj(label ->
                        new Tuple2<>(label, label == labels ? index.countAll(counter) : index.count(label, counter)))
                .iterator();
    }
}
