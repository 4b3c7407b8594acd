package org.plant4j.cli.code;

import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.CodingResult;
import org.plant4j.Suggestion;

/** Suggested codes as CSV, one row per document and code. */
final class SuggestionCsv {

    static final String HEADER = "id,code,description,score,probability,threshold,predicted";

    private SuggestionCsv() {}

    static String rows(String id, CodingResult result, ToDoubleFunction<String> threshold) {
        return result.suggestions().stream()
                .map(suggestion -> row(id, suggestion, threshold.applyAsDouble(suggestion.code())) + "\n")
                .collect(Collectors.joining());
    }

    private static String row(String id, Suggestion suggestion, double threshold) {
        return Stream.of(
                        quote(id),
                        quote(suggestion.code()),
                        quote(suggestion.description()),
                        number(suggestion.score()),
                        number(suggestion.probability()),
                        number(threshold),
                        suggestion.predicted() ? "1" : "0")
                .collect(Collectors.joining(","));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.6f", value);
    }

    private static String quote(String field) {
        return field.matches("[^\",\r\n]*") ? field : "\"" + field.replace("\"", "\"\"") + "\"";
    }
}
