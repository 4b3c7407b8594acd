package org.plant4j;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.plant4j.calibration.Calibration;
import org.plant4j.context.ContextProfile;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.domain.DomainGuard;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.Vocabulary;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The model of a run and the files that a {@link Coder} needs besides it. */
record LoadedRun(
        Tokenizer tokenizer,
        Vocabulary vocabulary,
        LabelIndex labels,
        CodeSet codeSet,
        Thresholds thresholds,
        Calibration calibration,
        Optional<DomainGuard> guard,
        ContextProfile contextProfile,
        Model model) {

    private static final Logger LOG = LoggerFactory.getLogger(Coder.class);

    /** Takes ownership of the tokenizer and closes it if loading fails. */
    static LoadedRun load(RunDirectory directory, Tokenizer tokenizer, Device device, Precision precision) {
        CompletableFuture<?> natives = CompletableFuture.completedFuture(null);
        try {
            directory.require(directory.vocabulary(), directory.labels(), directory.codeSet(), directory.thresholds());
            ModelConfig config = directory.modelConfig();
            if (config.network().isPresent()) { // native libraries load while the files are read
                natives = CompletableFuture.runAsync(Engine::isAvailable);
            }
            Vocabulary vocabulary = Vocabulary.read(directory.vocabulary());
            LabelIndex labels = LabelIndex.read(directory.labels());
            Thresholds thresholds = thresholds(directory, labels);
            Calibration calibration = directory.calibrationOrNone();
            CodeSet codeSet = CodeSet.read(directory.codeSet());
            Optional<DomainGuard> guard = directory.readDomain().map(profile -> new DomainGuard(vocabulary, profile));
            ContextProfile contextProfile = directory.readContextProfile();
            warnIfIncomplete(directory, calibration, guard);
            Compute compute = Compute.of(device, precision);
            Model model = config.load(directory.path(), vocabulary.size(), labels, compute);
            if (model.labels() != labels.size()) {
                model.close();
                throw new UserError(
                        "The model has " + model.labels() + " labels, but the run lists " + labels.size(),
                        directory.path().toString(),
                        "run the experiment again");
            }
            return new LoadedRun(
                    tokenizer, vocabulary, labels, codeSet, thresholds, calibration, guard, contextProfile, model);
        } catch (RuntimeException | Error e) {
            tokenizer.close();
            throw e;
        } finally {
            natives.join(); // the process must not exit while they load
        }
    }

    /** Earlier versions wrote runs without these files, and a run that was stopped may lack them. */
    private static void warnIfIncomplete(RunDirectory directory, Calibration calibration, Optional<DomainGuard> guard) {
        if (guard.isEmpty()) {
            LOG.warn(
                    "{} has no guard: texts that do not resemble the training documents are not detected."
                            + " Add it with: plant domain {}",
                    directory.path(),
                    directory.path());
        }
        if (!calibration.fitted()) {
            LOG.warn(
                    "{} is not calibrated: probabilities are scores, and no code is suggested."
                            + " Calibrate it with: plant evaluate {}",
                    directory.path(),
                    directory.path());
        }
    }

    private static Thresholds thresholds(RunDirectory directory, LabelIndex labels) {
        Thresholds thresholds = directory.readThresholds();
        int count = thresholds.labelCount();
        if (count > 0 && count != labels.size()) {
            throw new UserError(
                    "There are thresholds for " + count + " codes, but the run lists " + labels.size(),
                    directory.thresholds().toString(),
                    "copy the complete directory of one run, or run the experiment again");
        }
        return thresholds;
    }
}
