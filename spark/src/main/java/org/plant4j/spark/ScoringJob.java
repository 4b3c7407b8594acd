package org.plant4j.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;
import org.plant4j.pipeline.evaluation.EvaluationProtocol;
import scala.Tuple2;

/**
 * Scores all labels of documents with gold codes. The documents are scored in the same chunks as on one machine, in which
 * {@link EvaluationProtocol} divides a split, so the scores are the same.
 */
public final class ScoringJob implements Serializable {

    private static final long serialVersionUID = 1;

    private final String run;
    private final String device;

    public ScoringJob(String run, String device) {
        this.run = run;
        this.device = device;
    }

    /** A document and its position in the input. */
    private record IndexedDocument(long index, String text, List<String> codes) implements Serializable {}

    /** The scores and gold codes of a document. */
    @SuppressWarnings("ArrayRecordComponent") // passed to metrics, never compared
    public record ScoredDocument(float[] scores, List<String> codes) implements Serializable {}

    /** The documents in their order; {@code documents} has the columns id, text and codes. Kept on disk by Spark. */
    public Iterator<ScoredDocument> run(Dataset<Row> documents, int size, int labels) {
        int chunk = EvaluationProtocol.chunkSize(size, labels);
        int chunks = (size + chunk - 1) / chunk;
        JavaPairRDD<Integer, IndexedDocument> indexed = documents
                .toJavaRDD()
                .zipWithIndex()
                .mapToPair(pair -> new Tuple2<>((int) (pair._2() / chunk), document(pair._1(), pair._2())));
        // One partition per chunk, in order: an integer is its own hash.
        JavaRDD<ScoredDocument> scored =
                indexed.groupByKey(chunks).flatMap(group -> score(group._2())).persist(StorageLevel.DISK_ONLY());
        scored.count(); // all partitions at once; the iterator would compute one after the other
        return scored.toLocalIterator();
    }

    private static IndexedDocument document(Row row, long index) {
        return new IndexedDocument(index, row.getString(1), new ArrayList<>(row.getList(2)));
    }

    private Iterator<ScoredDocument> score(Iterable<IndexedDocument> group) {
        List<IndexedDocument> chunk = new ArrayList<>();
        group.forEach(chunk::add);
        chunk.sort(Comparator.comparingLong(IndexedDocument::index));
        float[][] scores = CoderCache.get(run, device)
                .score(chunk.stream().map(IndexedDocument::text).toList());
        List<ScoredDocument> scored = new ArrayList<>();
        for (int i = 0; i < scores.length; i++) {
            scored.add(new ScoredDocument(scores[i], chunk.get(i).codes()));
        }
        return scored.iterator();
    }
}
