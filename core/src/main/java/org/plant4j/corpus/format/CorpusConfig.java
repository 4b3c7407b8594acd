package org.plant4j.corpus.format;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.plant4j.corpus.Split;
import org.plant4j.support.UserError;

/**
 * The {@code corpus} section of an experiment: a format, a path, the subsets under the path that form train, dev and
 * test, and the options of the format. Without subsets the whole corpus is split by fractions.
 */
public record CorpusConfig(
        String format,
        String path,
        List<String> train,
        List<String> dev,
        List<String> test,
        Map<String, String> options)
        implements Serializable {

    private static final long serialVersionUID = 1;

    public CorpusConfig {
        CorpusFormats.named(format); // fails now for an unknown name, not when the corpus is opened
        if (path.isBlank() && !format.equals(DemoFormat.FORMAT.name())) {
            throw new UserError("The corpus has no path", "path", "set it to the file or directory of the corpus");
        }
        if (train.isEmpty() && !(dev.isEmpty() && test.isEmpty())) {
            throw new UserError(
                    "The corpus has splits dev or test, but none for train",
                    "train",
                    "set train, or leave all three empty to split by fractions");
        }
        train = List.copyOf(train);
        dev = List.copyOf(dev);
        test = List.copyOf(test);
        options = Collections.unmodifiableMap(new TreeMap<>(options));
    }

    /** The subsets of a split; all are empty if the corpus is split by fractions. */
    public List<String> subsets(Split split) {
        return switch (split) {
            case TRAIN -> train;
            case DEV -> dev;
            case TEST -> test;
        };
    }

    @JsonCreator
    static CorpusConfig of(
            @JsonProperty("format") @Nullable String format,
            @JsonProperty("path") @Nullable String path,
            @JsonProperty("train") @Nullable List<String> train,
            @JsonProperty("dev") @Nullable List<String> dev,
            @JsonProperty("test") @Nullable List<String> test,
            @JsonProperty("options") @Nullable Map<String, String> options) {
        return new CorpusConfig(
                format == null ? "" : format,
                path == null ? "" : path,
                train == null ? List.of() : train,
                dev == null ? List.of() : dev,
                test == null ? List.of() : test,
                options == null ? Map.of() : options);
    }
}
