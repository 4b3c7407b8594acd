package org.plant4j.pipeline.evaluation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.plant4j.Evaluation;
import org.plant4j.Progress;
import org.plant4j.Thresholds;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Evaluator;
import org.plant4j.metric.Predictions;
import org.plant4j.model.Model;
import org.plant4j.preparation.CorpusDocuments;
import org.plant4j.preparation.DocumentEncoder;
import org.plant4j.preparation.GoldLabels;
import org.plant4j.support.FileTree;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.TokenStore;
import org.plant4j.text.TokenStoreWriter;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.TrainedDocuments;
import org.plant4j.text.Vocabulary;

/**
 * The evaluation of a trained model on another corpus, as the run evaluated its test split: with the thresholds tuned on its
 * dev split. On the test split itself it gives the same numbers. The run directory is not changed.
 *
 * @param trainedDocuments how many of the documents the model was trained on; 0 if the run does not store them
 */
public record CorpusEvaluation(Evaluation evaluation, Predictions predictions, int trainedDocuments) {

    public static CorpusEvaluation of(RunDirectory run, Corpus corpus, Compute compute, Progress progress) {
        try {
            Path temporary = Files.createTempDirectory("plant-evaluate");
            try {
                return evaluate(run, corpus, compute, progress, temporary);
            } finally {
                FileTree.delete(temporary);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CorpusEvaluation evaluate(
            RunDirectory run, Corpus corpus, Compute compute, Progress progress, Path temporary) {
        Experiment experiment = ExperimentFile.read(run.experiment(), List.of());
        Vocabulary vocabulary = Vocabulary.read(run.vocabulary());
        LabelIndex labels = LabelIndex.read(run.labels());
        GoldLabels gold = new GoldLabels(labels);
        TokenStore documents = encode(run, corpus, vocabulary, gold, progress, temporary.resolve("documents"));
        if (!SplitScores.hasGold(documents)) {
            throw new UserError(
                    "No document of the corpus has codes", corpus.name(), "add gold codes, or use plant predict");
        }
        Thresholds thresholds = run.readThresholds();
        int trainDocuments = run.readManifest().trainedDocuments();
        Evaluator evaluator = EvaluationProtocol.evaluator(experiment, trainDocuments, labels.frequencies());
        LabelIndex all = gold.extended();
        try (Model model = run.modelConfig().load(run.path(), vocabulary.size(), labels, compute);
                SplitScores scores = SplitScores.of(model, documents, "evaluate", progress, temporary)) {
            return new CorpusEvaluation(
                    evaluator.evaluate(scores.scores(), scores.gold(), thresholds),
                    Predictions.of(
                            scores.ids(),
                            all::code,
                            scores.scores(),
                            scores.gold(),
                            thresholds,
                            experiment.evaluation().predictionsPerDocument()),
                    trainedDocuments(run, documents));
        }
    }

    private static int trainedDocuments(RunDirectory run, TokenStore documents) {
        return run.has(run.trainedDocuments())
                ? documents.size()
                        - TrainedDocuments.read(run.trainedDocuments()).countNew(documents)
                : 0;
    }

    private static TokenStore encode(
            RunDirectory run, Corpus corpus, Vocabulary vocabulary, GoldLabels gold, Progress progress, Path file) {
        try (Tokenizer tokenizer = run.openTokenizer();
                TokenStoreWriter store = TokenStore.create(file)) {
            new CorpusDocuments(corpus, tokenizer, progress)
                    .encode(DocumentEncoder.evaluation(vocabulary, gold), store::add);
            store.finish();
        }
        return TokenStore.open(file);
    }
}
