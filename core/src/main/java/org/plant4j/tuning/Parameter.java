package org.plant4j.tuning;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.UserError;

/**
 * A setting that is searched, and its values: a list, or a range between two numbers. Random values of a range are uniform,
 * or uniform in the logarithm if its ends differ by a factor of ten or more; those between integers are integers.
 */
public record Parameter(String key, List<String> values, double low, double high, boolean integer) {

    private static final Pattern RANGE = Pattern.compile("([0-9][0-9.eE+-]*?)\\.\\.([0-9][0-9.eE+-]*)");
    private static final double LOG_FACTOR = 10;

    public Parameter {
        values = List.copyOf(values);
    }

    /** Parses {@code training.learning_rate=0.001,0.003} or {@code training.learning_rate=1e-4..1e-2}. */
    public static Parameter parse(String text) {
        int equals = text.indexOf('=');
        String written = text.substring(equals + 1).strip();
        if (equals < 1 || written.isEmpty()) {
            throw invalid(text);
        }
        String key = text.substring(0, equals).strip();
        Matcher range = RANGE.matcher(written);
        if (!range.matches()) {
            // Commas inside brackets belong to a value, such as [1, 2].
            List<String> values = List.of(written.split(",(?![^\\[{]*[\\]}])", -1)).stream()
                    .map(String::strip)
                    .distinct()
                    .toList();
            if (values.stream().anyMatch(String::isEmpty)) {
                throw invalid(text);
            }
            return new Parameter(key, values, 0, 0, false);
        }
        try {
            double low = Double.parseDouble(range.group(1));
            double high = Double.parseDouble(range.group(2));
            if (low >= high) {
                throw invalid(text);
            }
            boolean integer = written.matches("\\d+\\.\\.\\d+");
            return new Parameter(key, List.of(), low, high, integer);
        } catch (NumberFormatException e) {
            throw invalid(text);
        }
    }

    private static UserError invalid(String text) {
        return new UserError(
                "'" + text + "' is not KEY=VALUE,VALUE or KEY=LOW..HIGH",
                "--try",
                "write it as, for example, training.learning_rate=0.001,0.003 or training.learning_rate=1e-4..1e-2");
    }

    public boolean isRange() {
        return values.isEmpty();
    }

    /** A random value. */
    String draw(Random random) {
        if (!isRange()) {
            return values.get(random.nextInt(values.size()));
        }
        if (integer) {
            return String.valueOf((long) low + (long) (random.nextDouble() * (high - low + 1)));
        }
        boolean logarithmic = low > 0 && high / low >= LOG_FACTOR;
        double position = random.nextDouble();
        double value = logarithmic ? low * Math.pow(high / low, position) : low + (high - low) * position;
        return String.format(Locale.ROOT, "%.3g", value);
    }
}
