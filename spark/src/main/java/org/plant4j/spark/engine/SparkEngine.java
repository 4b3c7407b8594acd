package org.plant4j.spark.engine;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Split;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.PreprocessingSettings;
import org.plant4j.model.LabelTasks;
import org.plant4j.pipeline.DataEngine;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.preparation.DocumentEncoder;
import org.plant4j.preparation.DocumentSource;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.Relevance;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.SubwordTokenizer;
import org.plant4j.text.Vocabulary;
import org.plant4j.text.WordTokenizer;
import scala.Tuple2;

/** Divides documents and labels between the tasks of a Spark application. */
public final class SparkEngine implements DataEngine {

    /** Bytes of JSON lines per task by default: some thousand documents of ordinary length. */
    public static final long DEFAULT_PARTITION_BYTES = 16 << 20;

    private final JavaSparkContext context;
    private final CorpusReader reader;

    public SparkEngine(SparkSession spark, long partitionBytes) {
        this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        this.reader = new CorpusReader(spark, partitionBytes);
    }

    @Override
    public Documents open(Experiment experiment, Session session) {
        return new SparkDocuments(experiment);
    }

    @Override
    public Relevance mutualInformation(
            MutualInformation information, Experiment experiment, Session session, PreparedCorpus prepared) {
        Vocabulary vocabulary = prepared.vocabulary();
        LabelIndex labels = prepared.labels();
        int passages = experiment.preprocessing().passageTokens();
        DocumentEncoder documents = DocumentEncoder.training(vocabulary, labels);
        DocumentEncoder encoder =
                passages == 0 ? documents : documents.and(DocumentEncoder.passages(vocabulary, labels, passages));
        return new InformationJob(information, vocabulary.size(), labels.trainedCount())
                .run(context, train(experiment).encoded(encoder));
    }

    @Override
    public LabelTasks labelTasks() {
        return new SparkLabelTasks(context);
    }

    /** The training documents, or a sample of them. */
    private SparkSource train(Experiment experiment) {
        JavaRDD<Document> all = reader.read(experiment.corpus(), Split.TRAIN);
        int size = experiment.preprocessing().maxTrainingDocuments();
        if (size > 0 && experiment.preprocessing().trainingSample() == PreprocessingSettings.TrainingSample.BALANCED) {
            throw new UserError(
                    "A balanced sample of training documents cannot be drawn on Spark",
                    "preprocessing.training_sample",
                    "set it to random, or use `plant` instead of `plant-spark`");
        }
        return source(Split.TRAIN.toString(), size == 0 ? all : sample(all, size, experiment.seed()), experiment);
    }

    /** The documents that {@link Corpora#sample} selects. */
    private JavaRDD<Document> sample(JavaRDD<Document> documents, int size, long seed) {
        JavaPairRDD<Document, Long> indexed = documents.zipWithIndex();
        List<Tuple2<Double, Long>> lowest = indexed.map(document ->
                        new Tuple2<>(Corpora.samplePosition(document._1().id(), seed), document._2()))
                .takeOrdered(size, new PositionOrder());
        Broadcast<Set<Long>> sampled =
                context.broadcast(lowest.stream().map(Tuple2::_2).collect(Collectors.toSet()));
        return indexed.filter(document -> sampled.value().contains(document._2()))
                .keys();
    }

    private static final class PositionOrder implements Comparator<Tuple2<Double, Long>>, Serializable {

        private static final long serialVersionUID = 1;

        @Override
        public int compare(Tuple2<Double, Long> a, Tuple2<Double, Long> b) {
            int order = Double.compare(a._1(), b._1());
            return order != 0 ? order : Long.compare(a._2(), b._2());
        }
    }

    private SparkSource source(String name, JavaRDD<Document> documents, Experiment experiment) {
        Optional<String> file = experiment
                .pretrainedEncoder()
                .map(encoder ->
                        new EncoderDirectory(Path.of(encoder)).tokenizer().toString());
        TokenizerOpener opener = file.<TokenizerOpener>map(path -> () -> SubwordTokenizer.open(Path.of(path)))
                .orElse(WordTokenizer::new);
        return new SparkSource(name, context, documents, opener);
    }

    private final class SparkDocuments implements Documents {

        private final Experiment experiment;

        SparkDocuments(Experiment experiment) {
            this.experiment = experiment;
        }

        @Override
        public DocumentSource train() {
            return SparkEngine.this.train(experiment);
        }

        @Override
        public Map<String, DocumentSource> evaluation() {
            Map<String, DocumentSource> evaluation = new LinkedHashMap<>();
            for (Split split : List.of(Split.DEV, Split.TEST)) {
                evaluation.put(
                        split.toString(),
                        source(split.toString(), reader.read(experiment.corpus(), split), experiment));
            }
            return evaluation;
        }

        @Override
        public Optional<DocumentSource> unlabelled() {
            if (experiment.unlabelled().isEmpty()) {
                return Optional.empty();
            }
            List<JavaRDD<Document>> all = experiment.unlabelled().stream()
                    .flatMap(corpus -> Stream.of(Split.values()).map(split -> reader.read(corpus, split)))
                    .toList();
            return Optional.of(source(PreparedCorpus.UNLABELLED, reader.concat(all), experiment));
        }

        @Override
        public void close() {}
    }
}
