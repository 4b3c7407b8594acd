package org.plant4j.pipeline;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Progress;
import org.plant4j.pipeline.stage.StageCache;
import org.plant4j.pretrain.vectors.WordVectorConfig;
import org.plant4j.text.PreparedCorpus;

/** Trains word vectors on the training and the unlabelled text. */
final class WordVectorStage implements StageCache.CachedStage<float[][]> {

    private final WordVectorConfig config;
    private final PreparedCorpus prepared;
    private final long seed;
    private final Progress progress;

    WordVectorStage(WordVectorConfig config, PreparedCorpus prepared, long seed, Progress progress) {
        this.config = config;
        this.prepared = prepared;
        this.seed = seed;
        this.progress = progress;
    }

    @Override
    public String create(Path draft) {
        new WordVectorFile(draft).write(config.train(prepared.vocabulary().size(), this::texts, seed, progress));
        return config.size() + " dimensions";
    }

    private Iterator<int[]> texts() {
        return Stream.of(PreparedCorpus.TRAIN, PreparedCorpus.UNLABELLED)
                .filter(prepared::hasSplit)
                .map(prepared::split)
                .flatMap(split -> IntStream.range(0, split.size()).mapToObj(split::tokens))
                .iterator();
    }

    @Override
    public float[][] open(Path path) {
        return new WordVectorFile(path).read();
    }
}
