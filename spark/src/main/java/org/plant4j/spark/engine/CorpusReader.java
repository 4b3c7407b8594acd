package org.plant4j.spark.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.settings.SettingsPaths;

/**
 * Reads the corpora of experiments into partitions in corpus order, with the parsers of one machine. JSON Lines and Parquet
 * files are divided between tasks. All other formats are read by one task per subset.
 */
final class CorpusReader {

    private final SparkSession spark;
    private final JavaSparkContext context;
    private final long partitionBytes;

    CorpusReader(SparkSession spark, long partitionBytes) {
        this.spark = spark;
        this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        this.partitionBytes = partitionBytes;
    }

    JavaRDD<Document> read(CorpusConfig corpus, Split split) {
        CorpusFormats.checkSplits(corpus);
        if (!CorpusFormats.isSplitByGroup(corpus)) {
            return read(corpus, corpus.subsets(split));
        }
        JavaRDD<Document> all = corpus.train().isEmpty()
                ? read(corpus, Optional.empty())
                : read(corpus, CorpusFormats.labelledSubsets(corpus));
        return all.mapPartitions(partition -> {
            Function<String, Split> splitByGroup = CorpusFormats.splitByGroup(corpus);
            return SparkSource.stream(partition)
                    .filter(document -> splitByGroup.apply(document.group()) == split)
                    .iterator();
        });
    }

    private JavaRDD<Document> read(CorpusConfig corpus, List<String> subsets) {
        return concat(subsets.stream()
                .map(subset -> read(corpus, Optional.of(subset)))
                .toList());
    }

    /** The documents of all parts in the given order. */
    JavaRDD<Document> concat(List<JavaRDD<Document>> parts) {
        return parts.isEmpty() ? context.emptyRDD() : context.union(parts.toArray(SparkSource.rdds()));
    }

    private JavaRDD<Document> read(CorpusConfig corpus, Optional<String> subset) {
        if (corpus.options().containsKey("labels")) {
            throw new UserError(
                    "Spark cannot keep some labels of a corpus only", "options.labels", "remove the option");
        }
        if (corpus.columns().containsKey("split") || corpus.options().containsKey("encoding")) {
            return readInOneTask(corpus, subset);
        }
        return switch (corpus.format()) {
            case "jsonl" -> new JsonLinesReader(context, partitionBytes).read(location(corpus, subset), corpus);
            case "parquet" -> new ParquetReader(spark).read(location(corpus, subset), corpus);
            default -> readInOneTask(corpus, subset);
        };
    }

    /** The URI of a subset; paths of this machine have the scheme {@code file}, whatever the default of the cluster. */
    private static String location(CorpusConfig corpus, Optional<String> subset) {
        if (SettingsPaths.isUri(corpus.path())) {
            return subset.map(name -> corpus.path() + "/" + name).orElse(corpus.path());
        }
        Path path = Path.of(corpus.path());
        return "file://" + subset.map(path::resolve).orElse(path).toAbsolutePath();
    }

    private JavaRDD<Document> readInOneTask(CorpusConfig corpus, Optional<String> subset) {
        if (SettingsPaths.isUri(corpus.path())) {
            throw new UserError(
                    "Corpora of the format " + corpus.format() + " cannot be read from this file system",
                    corpus.path(),
                    "use JSON Lines or Parquet, or a path that all machines of the cluster can read");
        }
        String name = subset.orElse("");
        return context.parallelize(List.of(name), 1)
                .flatMap(one -> CorpusFormats.openSubset(
                                corpus, Optional.of(one).filter(text -> !text.isEmpty()), BadRowHandler.fail())
                        .documents()
                        .iterator());
    }
}
