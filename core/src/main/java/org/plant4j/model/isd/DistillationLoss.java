package org.plant4j.model.isd;

import java.util.stream.IntStream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;

/**
 * Distance of a student's views of documents to a teacher's (equations 13 and 14). Views have no order, so those of a
 * document are matched to minimize the total distance. No gradient flows to the teacher.
 */
final class DistillationLoss {

    private DistillationLoss() {}

    /** 1 − cosine (B, Q) of each view of the student and the matched view of the teacher, both (B, Q, H). */
    static Tensor distances(Tensor student, Tensor teacher, Compute compute) {
        Tensor studentViews = normalized(student);
        Tensor teacherViews = normalized(teacher.detach());
        long[] pairs = matchViews(studentViews.detach(), teacherViews);
        Tensor matched = teacherViews
                .flatten(0, 1)
                .index_select(0, compute.toDevice(Tensor.create(pairs)))
                .view_as(studentViews);
        return studentViews.mul(matched).sum(-1L).neg().add(new Scalar(1));
    }

    private static Tensor normalized(Tensor views) {
        Tensor floats = views.to(torch.ScalarType.Float);
        return floats.div(floats.norm(new ScalarOptional(new Scalar(2)), new long[] {-1}, true)
                .clamp_min(new Scalar(1e-8)));
    }

    /** The flat index (B·Q) of the teacher's view matched to each view; one transfer to the CPU and back per batch. */
    private static long[] matchViews(Tensor student, Tensor teacher) {
        int documents = (int) student.size(0);
        int views = (int) student.size(1);
        Tensor similarities =
                torch.matmul(student, teacher.transpose(1, 2)).cpu().contiguous();
        float[] costs = new float[documents * views * views];
        new FloatPointer(similarities.to(torch.ScalarType.Float).data_ptr_float()).get(costs);
        long[] pairs = new long[documents * views];
        IntStream.range(0, documents).parallel().forEach(document -> {
            float[] documentCosts = new float[views * views];
            for (int i = 0; i < documentCosts.length; i++) {
                float cost = -costs[document * documentCosts.length + i];
                documentCosts[i] =
                        Float.isNaN(cost) ? 0 : cost; // any matching will do: the trainer reports the NaN loss
            }
            int[] matched = LinearAssignment.solve(documentCosts, views);
            for (int view = 0; view < views; view++) {
                pairs[document * views + view] = (long) document * views + matched[view];
            }
        });
        return pairs;
    }
}
