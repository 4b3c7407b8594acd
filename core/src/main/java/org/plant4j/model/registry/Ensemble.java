package org.plant4j.model.registry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.plant4j.model.AttentionEvidence;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;

/**
 * Several models of the same words and labels that speak with one voice: the mean of their scores, and of the evidence of
 * those that have some. PLANT reads forward and backward like this, and seeds make an ensemble.
 *
 * <p>Views that labels share stay with their member: the first of one has nothing to do with the first of another, so
 * there is no view that the members together chose.
 */
public final class Ensemble implements Model {

    /** Experiments by file or packaged name, each to be run from each seed; without seeds from the average's own. */
    public record Config(List<String> members, List<Long> seeds) implements ModelConfig {
        public Config {
            if (members.isEmpty()) {
                throw new IllegalArgumentException("members: none (expected: one or more)");
            }
            members = List.copyOf(members);
            seeds = List.copyOf(seeds);
        }
    }

    /** What a finished run keeps: the members as they were trained, whatever experiments they came from. */
    public record TrainedConfig(List<ModelConfig> members) implements ModelConfig {
        public TrainedConfig {
            members = List.copyOf(members);
        }
    }

    private final List<Model> members;

    /** Takes the members over, and closes them with itself. */
    public Ensemble(List<Model> members) {
        if (members.isEmpty()) {
            throw new IllegalArgumentException("members: none (expected: one or more)");
        }
        this.members = List.copyOf(members);
        for (Model member : members) {
            if (member.labels() != labels()) {
                throw new IllegalArgumentException("labels: " + member.labels() + " (expected: " + labels() + ")");
            }
        }
    }

    static Ensemble load(TrainedConfig config, Path folder, int vocabulary, LabelIndex labels, Compute compute) {
        List<Model> members = new ArrayList<>();
        try {
            for (ModelConfig member : config.members()) {
                members.add(ModelRegistry.load(
                        member, memberDirectory(folder, members.size()), vocabulary, labels, compute));
            }
            return new Ensemble(members);
        } catch (RuntimeException | Error e) {
            members.forEach(Model::close);
            throw e;
        }
    }

    private static Path memberDirectory(Path folder, int index) {
        return folder.resolve("members").resolve(Integer.toString(index));
    }

    @Override
    public int labels() {
        return members.get(0).labels();
    }

    @Override
    public float[][] score(List<int[]> documents) {
        float[][] sum = new float[documents.size()][labels()];
        for (Model member : members) {
            float[][] scores = member.score(documents);
            for (int document = 0; document < sum.length; document++) {
                add(sum[document], scores[document]);
            }
        }
        for (float[] row : sum) {
            for (int label = 0; label < row.length; label++) {
                row[label] /= members.size();
            }
        }
        return sum;
    }

    @Override
    public float[][] evidence(int[] document, int[] labels) {
        float[][] sum = new float[labels.length][document.length];
        for (Model member : members) {
            float[][] weights = member.evidence(document, labels);
            for (int i = 0; i < sum.length; i++) {
                add(sum[i], weights[i]);
            }
        }
        for (float[] row : sum) {
            AttentionEvidence.normalize(row); // members without evidence have no say
        }
        return sum;
    }

    /** As {@link #evidence(int[], int[])}; a member may read more of a long description than another. */
    @Override
    public List<float[]> descriptionEvidence(int[] document, int[] labels) {
        float[][] sum = new float[labels.length][0];
        for (Model member : members) {
            List<float[]> weights = member.descriptionEvidence(document, labels);
            for (int i = 0; i < sum.length; i++) {
                sum[i] = Arrays.copyOf(sum[i], Math.max(sum[i].length, weights.get(i).length));
                add(sum[i], weights.get(i));
            }
        }
        for (float[] row : sum) {
            AttentionEvidence.normalize(row);
        }
        return List.of(sum);
    }

    private static void add(float[] sum, float[] more) {
        for (int i = 0; i < more.length; i++) {
            sum[i] += more[i];
        }
    }

    /** Each member in a folder of its own: {@code members/0}, {@code members/1}, … */
    @Override
    public void save(Path folder) {
        for (int i = 0; i < members.size(); i++) {
            Path own = memberDirectory(folder, i);
            try {
                Files.createDirectories(own);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            members.get(i).save(own);
        }
    }

    @Override
    public void close() {
        members.forEach(Model::close);
    }
}
