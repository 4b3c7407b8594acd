package org.plant4j.spark.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Partitions sized for documents. Spark's default of 128 MB is meant for scans. At 50 documents per second, a task would
 * code such a partition for ten minutes or more, and lose all of it with its executor.
 */
final class Partitions {

    /** Bytes of input per partition: a few hundred documents of ordinary length. */
    static final long DEFAULT_BYTES = 1 << 20;

    private final SparkSession spark;
    private final long bytes;

    Partitions(SparkSession spark, long bytes) {
        this.spark = spark;
        this.bytes = bytes;
        // Applies to files that are read from now on, if they can be split.
        spark.conf().set("spark.sql.files.maxPartitionBytes", bytes);
        spark.conf().set("spark.sql.files.openCostInBytes", 0L);
    }

    /** Distributes documents again if their files could not be split: Parquet, CSV and compressed files. */
    Dataset<Row> resize(Dataset<Row> documents) {
        long wanted = Math.min(Integer.MAX_VALUE, inputBytes(documents) / bytes + 1);
        return documents.rdd().getNumPartitions() * 2L < wanted ? documents.repartition((int) wanted) : documents;
    }

    private long inputBytes(Dataset<Row> documents) {
        long sum = 0;
        try {
            for (String file : documents.inputFiles()) {
                Path path = new Path(file);
                sum += path.getFileSystem(spark.sparkContext().hadoopConfiguration())
                        .getFileStatus(path)
                        .getLen();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sum;
    }
}
