package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.support.DidYouMean;

/** The values of a corpus config's {@code options}, with typed access. */
final class FormatOptions {

    private final Map<String, String> values;
    private final Map<String, String> columns;
    private final Optional<String> delimiter;
    private final List<String> subsets;

    /** Checks that all option names are among the known ones. */
    FormatOptions(Map<String, String> values, List<String> known) {
        for (String name : new TreeSet<>(values.keySet())) {
            if (!known.contains(name)) {
                throw new UserError("Unknown option '" + name + "'", "options." + name, DidYouMean.remedy(name, known));
            }
        }
        this.values = Map.copyOf(values);
        this.columns = Map.of();
        this.delimiter = Optional.empty();
        this.subsets = List.of();
    }

    private FormatOptions(
            FormatOptions options, Map<String, String> columns, Optional<String> delimiter, List<String> subsets) {
        this.values = options.values;
        this.columns = Map.copyOf(columns);
        this.delimiter = delimiter;
        this.subsets = List.copyOf(subsets);
    }

    /** The same options with the config's columns, delimiter and subsets. */
    FormatOptions withTable(Map<String, String> newColumns, Optional<String> newDelimiter, List<String> newSubsets) {
        return new FormatOptions(this, newColumns, newDelimiter, newSubsets);
    }

    /** The subsets that the config assigns to train, dev and test. */
    List<String> subsets() {
        return subsets;
    }

    Map<String, String> columns() {
        return columns;
    }

    Optional<String> delimiter() {
        return delimiter;
    }

    Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name)).map(String::strip);
    }

    /** An option that may be a space. */
    Optional<String> raw(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** The path in an option that must be set; {@code description} describes its target in the error. */
    Path requiredPath(String name, String description) {
        return find(name)
                .map(Path::of)
                .orElseThrow(() -> new UserError(
                        "Option '" + name + "' is missing", "options." + name, "set it to " + description));
    }

    Optional<Integer> intValue(String name, int minimum) {
        return find(name).map(value -> {
            try {
                int number = Integer.parseInt(value);
                if (number >= minimum) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Reported below, like a number that is too small.
            }
            throw invalid(name, value, "an integer of at least " + minimum);
        });
    }

    /** A constant of an enum, ignoring case, with {@code -} for {@code _}. */
    <E extends Enum<E>> Optional<E> enumValue(String name, Class<E> type) {
        return find(name)
                .map(value -> Stream.of(type.getEnumConstants())
                        .filter(constant -> optionValue(constant).equals(normalize(value)))
                        .findFirst()
                        .orElseThrow(() -> invalid(
                                name,
                                value,
                                Stream.of(type.getEnumConstants())
                                        .map(FormatOptions::optionValue)
                                        .collect(Collectors.joining(", ", "one of ", "")))));
    }

    private static String optionValue(Enum<?> constant) {
        return normalize(constant.name());
    }

    private static String normalize(String value) {
        return value.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static UserError invalid(String name, String value, String expected) {
        return new UserError("Invalid value '" + value + "' for option " + name, "options." + name, "give " + expected);
    }
}
