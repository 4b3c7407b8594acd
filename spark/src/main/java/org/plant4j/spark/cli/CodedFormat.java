package org.plant4j.spark.cli;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.to_json;

import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/** How coded documents are written. Parquet and JSON lines have one row per document, CSV and text one per suggestion. */
enum CodedFormat {
    PARQUET("parquet", Map.of()),
    JSONL("json", Map.of()),
    /** Evidence is a field of JSON. */
    CSV(
            "csv",
            Map.of(
                    "header",
                    "true",
                    "escape",
                    "\"",
                    "ignoreLeadingWhiteSpace",
                    "false",
                    "ignoreTrailingWhiteSpace",
                    "false")),
    /** Document, code, rank and score, tab-separated, as {@code plant predict --ranking} writes them. */
    TEXT("text", Map.of());

    private final String source;

    @SuppressWarnings("ImmutableEnumChecker") // made by Map.of
    private final Map<String, String> options;

    CodedFormat(String source, Map<String, String> options) {
        this.source = source;
        this.options = options;
    }

    String source() {
        return source;
    }

    Map<String, String> options() {
        return options;
    }

    /** The columns of the output, from {@code id} and {@code suggestions}. */
    Dataset<Row> columns(Dataset<Row> coded) {
        if (this == PARQUET || this == JSONL) {
            return coded.select(col("id"), col("suggestions"));
        }
        Dataset<Row> rows = coded.select(col("id"), functions.posexplode(col("suggestions")));
        if (this == TEXT) {
            return rows.select(functions.concat_ws(
                    "\t", col("id"), col("col.code"), col("pos").plus(lit(1)), col("col.score")));
        }
        return rows.select(col("id"), col("pos").plus(lit(1)).as("rank"), col("col.*"))
                .withColumn("evidence", to_json(col("evidence")));
    }
}
