package org.plant4j.model.description;

import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.SlidingWindows;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;

/**
 * The windows of a batch of documents, and the reduction of window outputs to document outputs.
 *
 * @param batch the N windows as a batch
 * @param rows the row of each document's windows in that batch, (B, S); a document with fewer than S windows repeats its
 *     first one, which does not change a maximum
 */
public record DocumentWindows(SlidingWindows windows, Batch batch, Tensor rows) {

    static DocumentWindows of(SlidingWindows windows, Compute compute) {
        int documents = windows.starts().size();
        int most = windows.starts().stream()
                .mapToInt(starts -> starts.length)
                .max()
                .orElse(0);
        long[] rows = new long[documents * most];
        int first = 0;
        for (int document = 0; document < documents; document++) {
            int count = windows.starts().get(document).length;
            for (int i = 0; i < most; i++) {
                rows[document * most + i] = i < count ? (long) first + i : first;
            }
            first += count;
        }
        return new DocumentWindows(
                windows, Batch.of(windows.rows(), compute), compute.toDevice(Tensor.create(rows, documents, most)));
    }

    public DocumentWindows map(UnaryOperator<Tensor> function) {
        return new DocumentWindows(windows, batch.map(function), function.apply(rows));
    }

    /** Window logits (N, L) to document logits (B, L): the maximum over the windows of a document. */
    public Tensor maxOverWindows(Tensor logits) {
        return rows.size(1) == 1 ? logits : byDocument(logits).amax(new long[] {1}, false);
    }

    /** The window with the highest logit per document and label, as row of the batch: (B, L). */
    public Tensor bestWindows(Tensor logits) {
        Tensor best = byDocument(logits).argmax(new LongOptional(1), false); // (B, L)
        return rows.gather(1, best);
    }

    /** (B, S, L). */
    private Tensor byDocument(Tensor logits) {
        return logits.index_select(0, rows.flatten()).view(rows.size(0), rows.size(1), -1);
    }

    /**
     * Weights of window tokens (N, M, L) to weights of document tokens (B, T, L), taken from the best window only.
     *
     * @param best see {@link #bestWindows}
     */
    public Tensor toDocumentTokens(Tensor weights, Tensor best, Batch documents, Compute compute) {
        Tensor all = torch.zeros(
                new long[] {documents.lengths().length, documents.width(), weights.size(2)}, compute.floatOptions());
        int row = 0;
        for (int document = 0; document < documents.lengths().length; document++) {
            for (int start : windows.starts().get(document)) {
                int length = windows.rows().get(row).length;
                Tensor isBest = best.select(0, document).eq(new Scalar(row)); // (L)
                all.select(0, document)
                        .narrow(0, start, length)
                        .add_(weights.select(0, row).narrow(0, 0, length).mul(isBest));
                row++;
            }
        }
        return all;
    }
}
