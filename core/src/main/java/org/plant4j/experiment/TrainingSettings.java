package org.plant4j.experiment;

import org.plant4j.MetricNames;
import org.plant4j.UserError;
import org.plant4j.model.TrainingLabels;
import org.plant4j.support.Arguments;
import org.plant4j.text.PartialDocuments;
import org.plant4j.train.FineTuning;
import org.plant4j.train.Loss;
import org.plant4j.train.TrainerConfig;

/**
 * How a network is trained. It is always read from YAML; the defaults and their meanings are in
 * {@code experiments/fragments/base.yaml}.
 */
public record TrainingSettings(
        int epochs,
        double learningRate,
        double weightDecay,
        double finalWeightDecayScale,
        double encoderLearningRateScale,
        double plantedLearningRateScale,
        double layerDecay,
        int unfreezeInterval,
        boolean priorBias,
        double warmupRatio,
        double maxGradNorm,
        double adamBeta1,
        double adamBeta2,
        int patience,
        int batchSize,
        int maxBatchTokens,
        double partialDocuments,
        double unknownRate,
        Loss loss,
        double evidenceLoss,
        int shortlist,
        int randomLabels,
        String selectionMetric) {

    public TrainingSettings {
        Arguments.atLeast(1, "epochs", epochs);
        Arguments.positive("learning_rate", learningRate);
        Arguments.atLeast(0.0, "weight_decay", weightDecay);
        Arguments.positive("encoder_learning_rate_scale", encoderLearningRateScale);
        Arguments.positive("planted_learning_rate_scale", plantedLearningRateScale);
        Arguments.atLeast(0, "unfreeze_interval", unfreezeInterval);
        Arguments.rate("warmup_ratio", warmupRatio);
        Arguments.positive("max_grad_norm", maxGradNorm);
        Arguments.rate("adam_beta1", adamBeta1);
        Arguments.rate("adam_beta2", adamBeta2);
        Arguments.atLeast(0.0, "evidence_loss", evidenceLoss);
        Arguments.atLeast(1, "batch_size", batchSize);
        Arguments.atLeast(1, "max_batch_tokens", maxBatchTokens);
        new PartialDocuments(partialDocuments, unknownRate);
        new TrainingLabels(shortlist, randomLabels);
        if (shortlist > 0 && evidenceLoss > 0) {
            throw new UserError(
                    "Attention cannot be supervised while a shortlist of labels is trained",
                    "training.evidence_loss, training.shortlist",
                    "set one of them to 0");
        }
        // The remaining bounds are checked here, and not only after the corpus was prepared.
        new TrainerConfig(epochs, warmupRatio, finalWeightDecayScale, maxGradNorm, adamBeta1, adamBeta2, patience);
        new FineTuning(
                learningRate,
                weightDecay,
                encoderLearningRateScale,
                plantedLearningRateScale,
                layerDecay,
                unfreezeInterval);
        if (!selectionMetric.equals(MetricNames.MAP) && !selectionMetric.equals(MetricNames.MICRO_F1)) {
            throw new UserError(
                    "'" + selectionMetric + "' cannot select an epoch",
                    "training.selection_metric",
                    "use " + MetricNames.MAP + " or " + MetricNames.MICRO_F1);
        }
    }

    public FineTuning fineTuning() {
        return new FineTuning(
                learningRate,
                weightDecay,
                encoderLearningRateScale,
                plantedLearningRateScale,
                layerDecay,
                unfreezeInterval);
    }

    public PartialDocuments partialDocumentSampling() {
        return new PartialDocuments(partialDocuments, unknownRate);
    }

    public TrainingLabels trainingLabels() {
        return new TrainingLabels(shortlist, randomLabels);
    }

    public TrainerConfig trainerConfig() {
        return new TrainerConfig(
                epochs, warmupRatio, finalWeightDecayScale, maxGradNorm, adamBeta1, adamBeta2, patience);
    }
}
