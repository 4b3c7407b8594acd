package org.plant4j.spark.engine;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_json;

import java.util.List;
import java.util.function.BiFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.corpus.format.JsonLinesCorpus;

/**
 * Reads Parquet files with the fields of JSON Lines, in the order of file names. Rows become lines of JSON, so that one
 * parser checks and normalizes both formats.
 */
record ParquetReader(SparkSession spark) {

    private static final List<String> REQUIRED = List.of("id", "text");
    private static final List<String> FIELDS = List.of("id", "text", "codes", "evidence");

    JavaRDD<Document> read(String location, CorpusConfig config) {
        Dataset<Row> rows = load(location);
        List<String> found = List.of(rows.columns());
        if (!found.containsAll(REQUIRED)) {
            throw new UserError(
                    "The columns id and text are required; found: " + found, location, "rename or add the columns");
        }
        Column[] fields =
                FIELDS.stream().filter(found::contains).map(name -> col(name)).toArray(Column[]::new);
        // Spark packs files into partitions by their size.
        return rows.select(
                        col("_metadata.file_path").as("file"),
                        col("_metadata.row_index").as("row"),
                        to_json(struct(fields)).as("json"))
                .orderBy("file", "row")
                .javaRDD()
                .mapPartitions(partition -> {
                    BiFunction<String, String, Document> parser = JsonLinesCorpus.parser(config);
                    return SparkSource.stream(partition)
                            .map(row -> parser.apply(row.getString(2), row.getString(0) + ", row " + row.getLong(1)))
                            .iterator();
                });
    }

    private Dataset<Row> load(String location) {
        try {
            return spark.read().parquet(location);
        } catch (Exception e) { // AnalysisException, which Spark does not declare
            if (e instanceof AnalysisException) {
                throw new UserError(
                        "There are no Parquet files here, or they cannot be read", location, "check the path", e);
            }
            throw e;
        }
    }
}
