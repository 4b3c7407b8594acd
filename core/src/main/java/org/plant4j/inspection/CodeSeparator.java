package org.plant4j.inspection;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Guesses the text between the codes of a document. */
final class CodeSeparator {

    /** Tried in this order; a semicolon is the default of the format. */
    private static final List<String> SEPARATORS = List.of(";", "|", ",", " ");

    /** A letter or digit, and more of them with dots, hyphens and slashes: {@code J18.9}, {@code 8140/3}, {@code 38.93}. */
    private static final Pattern CODE = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}./_:+-]{0,15}");

    private static final Pattern LIST = Pattern.compile("[\\[{(]\\s*(['\"]).*\\1\\s*,?\\s*[\\])}]");

    private CodeSeparator() {}

    /** The first separator that divides some value into what look like codes; empty if each value is one code. */
    static Optional<String> of(List<String> values) {
        Set<String> whole = new HashSet<>();
        values.forEach(value -> whole.add(value.strip()));
        return SEPARATORS.stream()
                .filter(separator -> divides(values, separator, whole))
                .findFirst();
    }

    /** Parts are codes, or labels in words that also occur alone; a comma within a label is no separator. */
    private static boolean divides(List<String> values, String separator, Set<String> whole) {
        List<String> divided = values.stream()
                .filter(value -> value.strip().contains(separator))
                .toList();
        if (divided.isEmpty()) {
            return false;
        }
        if (separator.equals(";") || separator.equals("|")) {
            return true;
        }
        boolean codes =
                divided.stream().allMatch(value -> parts(value, separator).allMatch(CodeSeparator::isCode));
        boolean space = separator.equals(" ");
        long alone = divided.stream()
                .filter(value -> parts(value, separator).anyMatch(whole::contains))
                .count();
        return (codes && (!space || hasDigits(divided))) || (!space && alone * 2 > divided.size());
    }

    private static boolean hasDigits(List<String> values) {
        return values.stream().allMatch(value -> value.chars().anyMatch(Character::isDigit));
    }

    private static Stream<String> parts(String value, String separator) {
        return Pattern.compile(Pattern.quote(separator))
                .splitAsStream(value.strip())
                .map(String::strip)
                .filter(part -> !part.isEmpty());
    }

    static boolean isCode(String text) {
        return CODE.matcher(text).matches();
    }

    /** Whether most values consist of codes with digits, such as ICD codes. */
    static boolean looksLikeCodes(List<String> values) {
        long coded = values.stream()
                .filter(value -> value.chars().anyMatch(Character::isDigit))
                .filter(value ->
                        Pattern.compile("[;|, ]+").splitAsStream(value.strip()).allMatch(CodeSeparator::isCode))
                .count();
        return coded * 2 > values.size();
    }

    /** Whether a part of some value occurs in another one: codes do, ids and measurements do not. */
    static boolean repeats(List<String> values) {
        Set<String> seen = new HashSet<>();
        return values.stream()
                .flatMap(value -> Pattern.compile("[;|, ]+")
                        .splitAsStream(value.strip())
                        .filter(part -> !part.isEmpty())
                        .distinct())
                .anyMatch(part -> !seen.add(part));
    }

    /** A list as a program prints it: {@code ["J18.9", "I10"]} or {@code ['J18.9', 'I10']}. */
    static boolean isList(String value) {
        return LIST.matcher(value.strip()).matches();
    }

    /** A code that contains a comma or a semicolon, and is probably two. */
    static boolean looksLikeTwo(String code) {
        return Pattern.compile("[,;|]")
                        .splitAsStream(code)
                        .map(String::strip)
                        .filter(CodeSeparator::isCode)
                        .filter(part -> part.chars().anyMatch(Character::isDigit))
                        .count()
                > 1;
    }
}
