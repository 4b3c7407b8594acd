package org.plant4j.corpus.format;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.plant4j.support.UserError;

/**
 * A corpus as an experiment file names it: a format, a path, the parts under it that make up train, dev and test (none:
 * the whole is split by fractions), and the format's options.
 */
public record CorpusConfig(
        String format,
        String path,
        List<String> train,
        List<String> dev,
        List<String> test,
        Map<String, String> options) {

    public CorpusConfig {
        Format.named(format); // a wrong name is told at once, not when the data is opened
        if (path.isBlank() && !format.equals("demo")) {
            throw new UserError("The corpus has no path", "path", "name the file or folder that holds it");
        }
        if (train.isEmpty() && !(dev.isEmpty() && test.isEmpty())) {
            throw new UserError(
                    "The corpus has parts for dev or test, but none for train",
                    "train",
                    "name train's parts, or leave all three empty to split by fractions");
        }
        train = List.copyOf(train);
        dev = List.copyOf(dev);
        test = List.copyOf(test);
        options = Collections.unmodifiableMap(new TreeMap<>(options));
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
