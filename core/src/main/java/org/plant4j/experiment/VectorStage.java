package org.plant4j.experiment;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Progress;
import org.plant4j.lm.VectorMethod;
import org.plant4j.text.PreparedCorpus;

/** Learns word vectors from training and unlabelled text. */
record VectorStage(VectorMethod config, PreparedCorpus prepared, Progress progress)
        implements StageCache.Artefact<float[][]> {

    /** Shared by runs of every seed: a study over seeds varies the model, not its material. */
    private static final long SEED = 1;

    @Override
    public String make(Path draft) {
        new VectorFile(draft).write(config.learn(prepared.vocabulary().size(), this::texts, SEED, progress));
        return config.size() + " dimensions";
    }

    private Iterator<int[]> texts() {
        return Stream.of(PreparedCorpus.TRAIN, PreparedCorpus.UNLABELLED)
                .filter(prepared::has)
                .map(prepared::part)
                .flatMap(part -> IntStream.range(0, part.size()).mapToObj(part::tokens))
                .iterator();
    }

    @Override
    public float[][] open(Path path) {
        return new VectorFile(path).read();
    }
}
