package org.plant4j.corpus.format;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;

/** A corpus' options, checked against those that its format knows. */
final class FormatOptions {

    private final Map<String, String> values;

    FormatOptions(Map<String, String> values, List<String> known) {
        for (String key : new TreeSet<>(values.keySet())) {
            if (!known.contains(key)) {
                String remedy = known.isEmpty() ? "this format has no options" : DidYouMean.remedy(key, known);
                throw new UserError("Unknown option '" + key + "'", "options." + key, remedy);
            }
        }
        this.values = Map.copyOf(values);
    }

    Optional<String> find(String key) {
        return Optional.ofNullable(values.get(key)).map(String::strip);
    }

    Optional<Integer> intValue(String key, int least) {
        return find(key).map(value -> {
            try {
                int number = Integer.parseInt(value);
                if (number >= least) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // told below, together with numbers too small
            }
            throw invalid(key, value, "a whole number from " + least);
        });
    }

    /** One of an enum's names, in any case and with - for _. */
    <E extends Enum<E>> Optional<E> enumValue(String key, Class<E> type) {
        return find(key).map(value -> {
            String name = value.toUpperCase(Locale.ROOT).replace('-', '_');
            List<E> constants = List.of(type.getEnumConstants());
            return constants.stream()
                    .filter(constant -> constant.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> invalid(
                            key,
                            value,
                            "one of "
                                    + String.join(
                                            ", ",
                                            constants.stream()
                                                    .map(constant -> constant.name()
                                                            .toLowerCase(Locale.ROOT)
                                                            .replace('_', '-'))
                                                    .toList())));
        });
    }

    static UserError invalid(String key, String value, String expected) {
        return new UserError("Option " + key + ": " + value, "options." + key, "give " + expected);
    }
}
