package org.plant4j.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Set;
import org.plant4j.Precision;
import org.plant4j.model.baseline.TextCnn;
import org.plant4j.rank.StaticAttention;

/** Completes the files of runs of earlier versions with settings that did not exist, at the values that they imply. */
final class EarlierVersions {

    private static final Set<String> WITH_NULL_TOKENS = Set.of("plant", "laat", "caml");

    private EarlierVersions() {}

    static void completeExperiment(ObjectNode experiment) {
        experiment.putIfAbsent("synonyms", experiment.arrayNode());
        experiment.putIfAbsent("translations", experiment.arrayNode());
        if (experiment.get("preprocessing") instanceof ObjectNode preprocessing) {
            preprocessing.putIfAbsent("training_sample", TextNode.valueOf("random"));
        }
        if (experiment.get("compute") instanceof ObjectNode compute) {
            compute.putIfAbsent("cuda_graphs", BooleanNode.FALSE);
        }
    }

    static void completeTraining(ObjectNode training) {
        training.putIfAbsent("final_weight_decay_scale", DoubleNode.valueOf(1));
        training.putIfAbsent("partial_documents", DoubleNode.valueOf(0));
        training.putIfAbsent("unknown_rate", DoubleNode.valueOf(0));
        training.putIfAbsent("evidence_loss", DoubleNode.valueOf(0));
        training.putIfAbsent("shortlist", IntNode.valueOf(0));
        training.putIfAbsent("random_labels", IntNode.valueOf(0));
    }

    static void completeEvaluation(ObjectNode evaluation) {
        evaluation.putIfAbsent("shortlist_agreement", DoubleNode.valueOf(0));
    }

    /** Completes a model and the models within it. */
    static void completeModel(JsonNode node) {
        if (node instanceof ObjectNode model
                && (WITH_NULL_TOKENS.contains(model.path("type").asText()) || model.has("inattention"))) {
            model.putIfAbsent("null_tokens", IntNode.valueOf(0));
        }
        if (node instanceof ObjectNode model && model.has("inattention")) {
            model.putIfAbsent("static_weights", TextNode.valueOf(StaticAttention.Weights.NORMALIZED.name()));
        }
        if (node instanceof ObjectNode model && model.path("type").asText().equals("plant")) {
            model.putIfAbsent("shortlist", IntNode.valueOf(0));
            model.putIfAbsent("label_precision", TextNode.valueOf(Precision.FLOAT32.name()));
        }
        if (node instanceof ObjectNode model && model.path("type").asText().equals("text-cnn")) {
            model.putIfAbsent("activation", TextNode.valueOf(TextCnn.Activation.RELU.name()));
            model.putIfAbsent("embedding_dropout", DoubleNode.valueOf(0));
        }
        if (node instanceof ObjectNode model && model.path("type").asText().equals("description-matching")) {
            model.putIfAbsent("trees", IntNode.valueOf(0));
            model.putIfAbsent("synonyms", BooleanNode.FALSE);
            model.putIfAbsent("translate", BooleanNode.FALSE);
            model.putIfAbsent("sentences", NullNode.getInstance());
        }
        node.forEach(EarlierVersions::completeModel);
    }
}
