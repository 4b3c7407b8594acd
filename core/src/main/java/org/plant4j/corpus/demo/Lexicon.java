package org.plant4j.corpus.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.plant4j.corpus.demo.Condition.Ages;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Role;
import org.plant4j.corpus.demo.Condition.Sex;
import org.plant4j.corpus.demo.MentionPlan.Section;

/**
 * The words of the demo corpus, read from the text files beside this class.
 *
 * <p>A condition opens with {@code code weight role clusters}; weight is {@code rare} for the tail and {@code combined}
 * for codes that replace another ({@code from I10 + I50}). Its indented fields are templates ({@code name}, {@code hint},
 * {@code course}, ...) or facts: {@code group} (mutually exclusive conditions), {@code needs} (any of these must be
 * there), {@code age}, {@code sex}, {@code place}, {@code like} (inherits what it does not say itself) and {@code find}
 * (abnormal findings, {@code Na {118..130} ; LUNGS: wheezes}).
 */
final class Lexicon {

    private static final List<String> FILES =
            List.of("heart.txt", "metabolism.txt", "lungs.txt", "digestion.txt", "mind.txt");
    private static final Lexicon BUNDLED = new Lexicon();

    private final Map<String, Condition> conditions = new LinkedHashMap<>();
    private final Map<String, Template> rules = new LinkedHashMap<>();

    private Lexicon() {
        resource("phrases.txt").lines().filter(Lexicon::isContent).forEach(line -> {
            int colon = line.indexOf(':');
            rules.merge(
                    line.substring(0, colon),
                    Template.parse(line.substring(colon + 1).strip()),
                    Template::or);
        });
        for (String file : FILES) {
            List<String> block = new ArrayList<>();
            resource(file).lines().filter(Lexicon::isContent).forEach(line -> {
                if (!line.startsWith(" ")) {
                    close(block);
                }
                block.add(line.strip());
            });
            close(block);
        }
    }

    static Lexicon bundled() {
        return BUNDLED;
    }

    /** Every condition, in the order of the files. */
    Collection<Condition> conditions() {
        return conditions.values();
    }

    Template rule(String name) {
        return Optional.ofNullable(rules.get(name))
                .orElseThrow(() -> new IllegalArgumentException("rule: " + name + " (expected: one of phrases.txt)"));
    }

    static String resource(String name) {
        try (InputStream in = Lexicon.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource missing from the build: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isContent(String line) {
        return !line.isBlank() && !line.startsWith("#");
    }

    private void close(List<String> block) {
        if (!block.isEmpty()) {
            Condition condition = condition(block);
            conditions.put(condition.code(), condition);
            block.clear();
        }
    }

    private Condition condition(List<String> block) {
        String[] head = block.get(0).split(" +", -1);
        Map<String, String> facts = new LinkedHashMap<>();
        for (String line : block.subList(1, block.size())) {
            int space = line.indexOf(' ');
            facts.merge(line.substring(0, space), line.substring(space + 1), (a, b) -> a + " | " + b);
        }
        Optional<Condition> model = Optional.ofNullable(facts.get("like")).map(conditions::get);
        Map<Field, Template> phrases = new EnumMap<>(Field.class);
        model.ifPresent(m -> phrases.putAll(m.phrases()));
        for (Field field : Field.values()) {
            String source = facts.get(field.name().toLowerCase(Locale.ROOT));
            if (source != null) {
                phrases.put(field, Template.parse(source));
            }
        }
        Template names = Template.parse(facts.getOrDefault("name", head[0]));
        return new Condition(
                head[0],
                weight(head[1]),
                Role.valueOf(head[2].toUpperCase(Locale.ROOT)),
                Set.of(head[3].split(",", -1)),
                model.map(Condition::groups)
                        .orElse(Set.of(facts.getOrDefault("group", head[0]).split(" ", -1))),
                ages(facts.getOrDefault("age", "18-97")),
                Optional.ofNullable(facts.get("sex")).map(Sex::valueOf),
                words(facts, "needs", " "),
                words(facts, "from", " \\+ "),
                Optional.ofNullable(facts.get("place")).map(place -> Section.valueOf(place.toUpperCase(Locale.ROOT))),
                model.map(m -> m.names().or(names)).orElse(names),
                phrases,
                model.map(Condition::findings).orElseGet(() -> findings(facts.getOrDefault("find", ""))));
    }

    private static int weight(String word) {
        return switch (word) {
            case "rare" -> Condition.TAIL;
            case "combined" -> Condition.COMBINED;
            default -> Integer.parseInt(word);
        };
    }

    private static Ages ages(String range) {
        int dash = range.indexOf('-');
        return new Ages(Integer.parseInt(range.substring(0, dash)), Integer.parseInt(range.substring(dash + 1)));
    }

    private static List<String> words(Map<String, String> facts, String key, String separator) {
        return facts.containsKey(key) ? Arrays.asList(facts.get(key).split(separator, -1)) : List.of();
    }

    private static Map<String, Template> findings(String source) {
        Map<String, Template> findings = new TreeMap<>();
        for (String finding : source.split(" ; ", -1)) {
            if (!finding.isBlank()) {
                int space = finding.indexOf(' ');
                String key = finding.substring(0, space);
                findings.put(
                        key.endsWith(":") ? key.substring(0, key.length() - 1) : key,
                        Template.parse(finding.substring(space + 1)));
            }
        }
        return findings;
    }
}
