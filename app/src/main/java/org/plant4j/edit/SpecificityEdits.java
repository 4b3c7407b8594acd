package org.plant4j.edit;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.plant4j.corpus.codeset.CodeSet;

/** Codes that are less specific than others that are at hand: no side, or "unspecified". */
final class SpecificityEdits {

    private static final Pattern SIDE = Pattern.compile("\\b(right|left|bilateral)\\b");
    private static final Pattern UNSPECIFIED = Pattern.compile("\\bunspecified\\b");

    private final CodeRules rules;

    SpecificityEdits(CodeRules rules) {
        this.rules = rules;
    }

    List<CodeEdit> check(AssignedCodes codes, Set<String> suggested) {
        Map<String, List<String>> specific = specificByCategory(codes, suggested);
        List<CodeEdit> edits = new ArrayList<>();
        for (String code : codes.inOrder()) {
            laterality(code, codes).or(() -> unspecified(code, codes, specific)).ifPresent(edits::add);
        }
        return edits;
    }

    /** The billable codes at hand that are not unspecified. */
    private Map<String, List<String>> specificByCategory(AssignedCodes codes, Set<String> suggested) {
        Set<String> candidates = new LinkedHashSet<>(codes.inOrder());
        candidates.addAll(suggested);
        return candidates.stream()
                .filter(code -> !UNSPECIFIED.matcher(description(code)).find()
                        && rules.billable(code).orElse(false))
                .collect(Collectors.groupingBy(SpecificityEdits::category));
    }

    private Optional<CodeEdit> laterality(String code, AssignedCodes codes) {
        String description = description(code);
        List<CodeSet.Entry> sided = rules.siblings(code).stream()
                .filter(each ->
                        SIDE.matcher(lower(each.description())).find() && sameButSide(each.description(), description))
                .toList();
        if (sided.isEmpty()) {
            return Optional.empty();
        }
        if (SIDE.matcher(description).find()) {
            return bothSides(code, description, sided, codes);
        }
        if (UNSPECIFIED.matcher(description).find()) {
            return Optional.of(CodeEdit.of(
                    CodeEdit.Kind.LATERALITY,
                    List.of(code),
                    code + " does not say which side; choose one if the note says it.",
                    sided.stream()
                            .map(each -> CodeEdit.Resolution.replace(code, each.code()))
                            .toList()));
        }
        return Optional.empty();
    }

    /** Right and left together, where a bilateral code exists. */
    private static Optional<CodeEdit> bothSides(
            String code, String description, List<CodeSet.Entry> sided, AssignedCodes codes) {
        Optional<CodeSet.Entry> left = find(sided, "left");
        Optional<CodeSet.Entry> both = find(sided, "bilateral");
        if (!description.matches(".*\\bright\\b.*")
                || left.isEmpty()
                || both.isEmpty()
                || !codes.contains(left.get().code())) {
            return Optional.empty();
        }
        return Optional.of(CodeEdit.of(
                CodeEdit.Kind.LATERALITY,
                List.of(code, left.get().code()),
                both.get().code() + " is the code for both sides.",
                List.of(
                        CodeEdit.Resolution.replace(code, both.get().code()),
                        CodeEdit.Resolution.remove(left.get().code()))));
    }

    private static Optional<CodeSet.Entry> find(List<CodeSet.Entry> entries, String side) {
        return entries.stream()
                .filter(each -> lower(each.description()).matches(".*\\b" + side + "\\b.*"))
                .findFirst();
    }

    /** Whether two descriptions differ in the side only: "of right knee", "of unspecified knee", "bilateral". */
    private static boolean sameButSide(String one, String other) {
        Set<String> first = withoutSide(one);
        Set<String> second = withoutSide(other);
        // "right eye" and "bilateral"
        return first.equals(second) || (lower(one + other).contains("bilateral") && second.containsAll(first));
    }

    private static Set<String> withoutSide(String description) {
        Set<String> words = new LinkedHashSet<>(List.of(lower(description).split("[^a-z0-9]+", -1)));
        words.removeAll(Set.of("", "right", "left", "bilateral", "unspecified", "of", "side", "primary"));
        return words;
    }

    private Optional<CodeEdit> unspecified(String code, AssignedCodes codes, Map<String, List<String>> specific) {
        if (!UNSPECIFIED.matcher(description(code)).find()) {
            return Optional.empty();
        }
        List<CodeEdit.Resolution> resolutions = specific.getOrDefault(category(code), List.of()).stream()
                .map(other -> codes.contains(other)
                        ? CodeEdit.Resolution.remove(code)
                        : CodeEdit.Resolution.replace(code, other))
                .toList();
        return resolutions.isEmpty()
                ? Optional.empty()
                : Optional.of(CodeEdit.of(
                        CodeEdit.Kind.UNSPECIFIED,
                        List.of(code),
                        code + " is unspecified, but a specific code of " + category(code) + " is at hand.",
                        resolutions));
    }

    private static String category(String code) {
        return code.length() < 3 ? code : code.substring(0, 3);
    }

    private String description(String code) {
        return lower(rules.description(code, Optional.empty()));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
