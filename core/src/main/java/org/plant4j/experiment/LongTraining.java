package org.plant4j.experiment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.plant4j.nn.Compute;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;
import org.plant4j.train.History;
import org.plant4j.train.Objective;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainerConfig;

/** A stage's learning from plain text, which takes long: what is unfinished stays in a folder, from which it goes on. */
record LongTraining(String stage, Compute compute, long seed, Pipeline.Session session, RunFolder unfinished) {

    /** What there is to learn from: training and unlabelled text, in which nothing of dev or test stands. */
    static List<TokenStore> texts(PreparedCorpus prepared) {
        return Stream.of(PreparedCorpus.TRAIN, PreparedCorpus.UNLABELLED)
                .filter(prepared::has)
                .map(prepared::part)
                .toList();
    }

    /** Leaves the history in a file. */
    <B> History run(TrainerConfig config, Objective<B> objective, Path history) {
        if (Files.exists(unfinished.checkpoint())) {
            session.listener().stage(stage, "resumed from " + unfinished.checkpoint());
        }
        Trainer.Outcome outcome = new Trainer<>(
                        config, objective, compute, seed, unfinished.checkpoint(), session.progress(), session.stop())
                .run();
        if (outcome.interrupted()) {
            throw new StageCache.Interrupted();
        }
        unfinished.write(history, outcome.history());
        return outcome.history();
    }

    /** What came of it, in a few words. */
    static String told(History history) {
        History.Epoch best = history.best().orElseThrow();
        return Double.isNaN(best.devLoss())
                ? history.epochs().size() + " epochs, nothing held out"
                : String.format(Locale.ROOT, "perplexity %.1f of held-out text", Math.exp(best.devLoss()));
    }
}
