package org.plant4j.spark.engine;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.corpus.format.JsonLinesCorpus;
import scala.Tuple2;

/** Reads files of JSON Lines, divided at line ends; a directory is read file by file in the order of names. */
record JsonLinesReader(JavaSparkContext context, long partitionBytes) {

    JavaRDD<Document> read(String location, CorpusConfig config) {
        return context.union(
                files(location).stream().map(file -> readFile(file, config)).toArray(SparkSource.rdds()));
    }

    private JavaRDD<Document> readFile(String file, CorpusConfig config) {
        Configuration configuration = new Configuration(context.hadoopConfiguration());
        configuration.setLong(FileInputFormat.SPLIT_MAXSIZE, partitionBytes);
        // Hadoop reads a name as a list of patterns.
        String literal = file.replaceAll("([,{}\\[\\]*?\\\\])", "\\\\$1");
        JavaPairRDD<LongWritable, Text> lines =
                context.newAPIHadoopFile(literal, TextInputFormat.class, LongWritable.class, Text.class, configuration);
        return lines.mapPartitions(partition -> {
            BiFunction<String, String, Document> parser = JsonLinesCorpus.parser(config);
            return SparkSource.stream(partition)
                    .flatMap(line -> parse(line, file, parser))
                    .iterator();
        });
    }

    private static Stream<Document> parse(
            Tuple2<LongWritable, Text> line, String file, BiFunction<String, String, Document> parser) {
        String where = file + ", byte " + line._1();
        try {
            String text = Text.decode(line._2().getBytes(), 0, line._2().getLength(), false);
            return text.isBlank() ? Stream.empty() : Stream.of(parser.apply(text, where));
        } catch (CharacterCodingException e) {
            throw new UserError(
                    "Not valid UTF-8",
                    where,
                    "convert the file, for example: iconv -f ISO-8859-1 -t UTF-8 OLD > NEW",
                    e);
        }
    }

    private List<String> files(String location) {
        Path path = new Path(location);
        try {
            FileSystem system = path.getFileSystem(context.hadoopConfiguration());
            if (!system.getFileStatus(path).isDirectory()) {
                return List.of(location);
            }
            return Arrays.stream(system.listStatus(path))
                    .filter(FileStatus::isFile)
                    .map(file -> file.getPath().getName())
                    .filter(name -> !name.startsWith(".") && !name.startsWith("_"))
                    .sorted()
                    .map(name -> location + "/" + name)
                    .toList();
        } catch (FileNotFoundException e) {
            throw new UserError("No such file", location, "check the path", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
