package org.plant4j.model.isd;

import java.util.stream.IntStream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;

/**
 * How far a student's views of documents are from a teacher's (equations 13 and 14). Views have no order, so in each
 * document they are paired such that they are nearest in all. The teacher learns nothing from it.
 */
final class DistillationLoss {

    private DistillationLoss() {}

    /** Views (B, Q, H) of both to 1 − cosine of each student's view with its teacher's, (B, Q). */
    static Tensor distances(Tensor student, Tensor teacher, Compute compute) {
        Tensor learning = normalized(student);
        Tensor example = normalized(teacher.detach());
        long[] pairs = matchViews(learning.detach(), example);
        Tensor partners = example.flatten(0, 1)
                .index_select(0, compute.toDevice(Tensor.create(pairs)))
                .view_as(learning);
        return learning.mul(partners).sum(-1L).neg().add(new Scalar(1));
    }

    private static Tensor normalized(Tensor views) {
        Tensor exact = views.to(torch.ScalarType.Float);
        return exact.div(exact.norm(new ScalarOptional(new Scalar(2)), new long[] {-1}, true)
                .clamp_min(new Scalar(1e-8)));
    }

    /** For each view of each student the flat place (B·Q) of its teacher's: one way to the CPU and back for all. */
    private static long[] matchViews(Tensor student, Tensor teacher) {
        int documents = (int) student.size(0);
        int views = (int) student.size(1);
        Tensor similarities =
                torch.matmul(student, teacher.transpose(1, 2)).cpu().contiguous();
        float[] costs = new float[documents * views * views];
        new FloatPointer(similarities.to(torch.ScalarType.Float).data_ptr_float()).get(costs);
        long[] pairs = new long[documents * views];
        IntStream.range(0, documents).parallel().forEach(document -> {
            float[] own = new float[views * views];
            for (int i = 0; i < own.length; i++) {
                float cost = -costs[document * own.length + i];
                own[i] =
                        Float.isNaN(cost) ? 0 : cost; // nothing is nearest then; that a loss is lost, the trainer tells
            }
            int[] partners = LinearAssignment.solve(own, views);
            for (int view = 0; view < views; view++) {
                pairs[document * views + view] = (long) document * views + partners[view];
            }
        });
        return pairs;
    }
}
