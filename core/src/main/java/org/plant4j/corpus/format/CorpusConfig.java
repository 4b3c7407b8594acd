package org.plant4j.corpus.format;

import static com.fasterxml.jackson.annotation.JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.plant4j.UserError;
import org.plant4j.corpus.Split;

/**
 * The {@code corpus} section of an experiment: a format, a path, the subsets under the path that form train, dev and
 * test, and the options of the format. Without subsets the whole corpus is split by fractions.
 *
 * @param columns for tables: the columns or fields of id, text, codes, evidence, group and split, where names differ
 * @param delimiter for tables: the character between columns; empty for that of the file name
 */
public record CorpusConfig(
        String format,
        String path,
        List<String> train,
        List<String> dev,
        List<String> test,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> columns,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String delimiter,
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
        TableLayout.checkColumns(columns);
        if (!delimiter.isEmpty()) {
            TableLayout.parseDelimiter(delimiter);
        }
        columns = Collections.unmodifiableMap(new TreeMap<>(columns));
        options = Collections.unmodifiableMap(new TreeMap<>(options));
    }

    public CorpusConfig(
            String format,
            String path,
            List<String> train,
            List<String> dev,
            List<String> test,
            Map<String, String> options) {
        this(format, path, train, dev, test, Map.of(), "", options);
    }

    /** A copy with another value of an option. */
    public CorpusConfig withOption(String name, String value) {
        Map<String, String> changed = new TreeMap<>(options);
        changed.put(name, value);
        return new CorpusConfig(format, path, train, dev, test, columns, delimiter, changed);
    }

    /** The same columns and options for another file, of which documents may have no codes. */
    public CorpusConfig forDocuments(String otherFormat, String otherPath) {
        if (!otherFormat.equals(format)) {
            Map<String, String> reading = new TreeMap<>();
            if (CorpusFormats.named(otherFormat).tables()) {
                reading.put("uncoded", "keep");
                Optional.ofNullable(options.get("system")).ifPresent(system -> reading.put("system", system));
            }
            return new CorpusConfig(otherFormat, otherPath, List.of(), List.of(), List.of(), reading);
        }
        Map<String, String> reading = new TreeMap<>(options);
        List.of("fractions", "fold", "seed", LabelFilter.OPTION, "code_file").forEach(reading::remove);
        if (CorpusFormats.named(format).tables()) {
            reading.put("uncoded", "keep");
        }
        Map<String, String> reduced = new TreeMap<>(columns);
        reduced.remove(TableLayout.SPLIT);
        reduced.remove(TableLayout.GROUP);
        return new CorpusConfig(format, otherPath, List.of(), List.of(), List.of(), reduced, delimiter, reading);
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
            @JsonProperty("train") @JsonFormat(with = ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable List<String> train,
            @JsonProperty("dev") @JsonFormat(with = ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable List<String> dev,
            @JsonProperty("test") @JsonFormat(with = ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable List<String> test,
            @JsonProperty("columns") @Nullable Map<String, String> columns,
            @JsonProperty("delimiter") @Nullable String delimiter,
            @JsonProperty("options") @Nullable Map<String, String> options) {
        String location = path == null ? "" : path;
        List<String> training = train == null ? List.of() : train;
        return new CorpusConfig(
                format == null || format.isEmpty() ? CorpusFormats.infer(location, training) : format,
                location,
                training,
                dev == null ? List.of() : dev,
                test == null ? List.of() : test,
                columns == null ? Map.of() : columns,
                delimiter == null ? "" : delimiter,
                options == null ? Map.of() : options);
    }
}
