package org.plant4j.model.output;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.plant4j.model.Model;

/**
 * The outputs that {@link Model#predict} computes for each document. Evidence is computed for chosen labels only; they
 * are either given or chosen from the document's scores.
 *
 * <pre>{@code
 * model.predict(documents, PredictionRequest.scores());
 * model.predict(documents, PredictionRequest.evidence(3, 5));
 * model.predict(documents, PredictionRequest.evidenceFor(scores -> TopK.indices(scores, 15)).withSharedViews());
 * }</pre>
 */
public final class PredictionRequest {

    private enum Output {
        SCORES,
        EVIDENCE,
        DESCRIPTION_EVIDENCE,
        SHARED_VIEWS
    }

    /** Chooses the labels to explain for a document, by its position in the request and its scores. */
    @FunctionalInterface
    private interface LabelChooser {
        int[] choose(int document, float[] scores);
    }

    private final Set<Output> outputs;
    private final LabelChooser chooser;
    private final Optional<EvidenceMethod> method;
    private final Optional<int[]> source;

    private PredictionRequest(Set<Output> outputs, LabelChooser chooser) {
        this(outputs, chooser, Optional.empty(), Optional.empty());
    }

    private PredictionRequest(
            Set<Output> outputs, LabelChooser chooser, Optional<EvidenceMethod> method, Optional<int[]> source) {
        this.outputs = outputs;
        this.chooser = chooser;
        this.method = method;
        this.source = source;
    }

    /** Scores only. */
    public static PredictionRequest scores() {
        return new PredictionRequest(EnumSet.of(Output.SCORES), (document, scores) -> new int[0]);
    }

    /** Evidence for the same labels in every document. */
    public static PredictionRequest evidence(int... labels) {
        return new PredictionRequest(EnumSet.of(Output.EVIDENCE), (document, scores) -> labels.clone());
    }

    /** Evidence for the labels given for each document. */
    public static PredictionRequest evidence(List<int[]> labels) {
        return new PredictionRequest(EnumSet.of(Output.EVIDENCE), (document, scores) -> labels.get(document));
    }

    /** Scores, and evidence for the labels that the function chooses from a document's scores. */
    public static PredictionRequest evidenceFor(Function<float[], int[]> chooser) {
        return new PredictionRequest(
                EnumSet.of(Output.SCORES, Output.EVIDENCE), (document, scores) -> chooser.apply(scores));
    }

    /** Also the scores of all labels. */
    public PredictionRequest withScores() {
        return with(Output.SCORES);
    }

    /** Also evidence in the descriptions of the chosen labels. */
    public PredictionRequest withDescriptionEvidence() {
        return with(Output.DESCRIPTION_EVIDENCE);
    }

    /** Also the attention views that labels share, and which of them each chosen label uses. */
    public PredictionRequest withSharedViews() {
        return with(Output.SHARED_VIEWS);
    }

    /** Evidence by this method instead of the model's default. */
    public PredictionRequest withEvidenceMethod(EvidenceMethod chosen) {
        return new PredictionRequest(outputs, chooser, Optional.of(chosen), source);
    }

    /** For documents that are made from parts of this one: they are scored as it is, also where dev documents are recognized. */
    public PredictionRequest forPartsOf(int[] document) {
        return new PredictionRequest(outputs, chooser, method, Optional.of(document.clone()));
    }

    private PredictionRequest with(Output output) {
        Set<Output> more = EnumSet.copyOf(outputs);
        more.add(output);
        return new PredictionRequest(more, chooser, method, source);
    }

    public boolean hasScores() {
        return outputs.contains(Output.SCORES);
    }

    public boolean hasEvidence() {
        return outputs.contains(Output.EVIDENCE);
    }

    public boolean hasDescriptionEvidence() {
        return outputs.contains(Output.DESCRIPTION_EVIDENCE);
    }

    public boolean hasSharedViews() {
        return outputs.contains(Output.SHARED_VIEWS);
    }

    /** The method of the evidence; empty for the model's default. */
    public Optional<EvidenceMethod> evidenceMethod() {
        return method;
    }

    /** The document that the documents are parts of; empty if each of them is one itself. */
    public Optional<int[]> source() {
        return source.map(int[]::clone);
    }

    /** Whether several outputs are computed from the same encoding, so that it must be kept between them. */
    public boolean reusesEncoding() {
        return outputs.size() > 1;
    }

    /** The labels to explain for a document; {@code scores} is empty unless the request {@link #hasScores}. */
    public int[] chooseLabels(int document, float[] scores) {
        return chooser.choose(document, scores);
    }
}
