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
import java.util.stream.Stream;
import org.plant4j.corpus.demo.Condition.Ages;
import org.plant4j.corpus.demo.Condition.Demographics;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Relations;
import org.plant4j.corpus.demo.Condition.Role;
import org.plant4j.corpus.demo.Condition.Sex;
import org.plant4j.corpus.demo.Condition.Wording;
import org.plant4j.corpus.demo.MentionPlan.Section;

/**
 * The conditions and phrases of the demo corpus, read from the text resources of this package.
 *
 * <p>The block of a condition starts with {@code code weight role clusters}; the weight is {@code rare} for tail codes and
 * {@code combined} for codes that replace others ({@code from I10 + I50}). Indented fields are templates ({@code name},
 * {@code hint}, {@code course}, ...) or attributes: {@code group} (mutually exclusive conditions), {@code needs} (one of
 * these must be present), {@code age}, {@code sex}, {@code place}, {@code like} (inherits missing fields) and {@code
 * find} (abnormal findings, {@code Na {118..130} ; LUNGS: wheezes}).
 */
final class Lexicon {

    private static final List<String> FILES =
            List.of("heart.txt", "metabolism.txt", "lungs.txt", "digestion.txt", "mind.txt");
    private static final Lexicon BUNDLED = new Lexicon();

    private final Map<String, Condition> conditions = new LinkedHashMap<>();
    private final Map<String, Template> rules = new LinkedHashMap<>();

    private Lexicon() {
        readRules();
        FILES.forEach(this::readConditions);
    }

    private void readRules() {
        lines("phrases.txt").forEach(line -> {
            int colon = line.indexOf(':');
            rules.merge(
                    line.substring(0, colon),
                    Template.parse(line.substring(colon + 1).strip()),
                    Template::or);
        });
    }

    private void readConditions(String file) {
        List<String> block = new ArrayList<>();
        lines(file).forEach(line -> {
            if (!line.startsWith(" ")) {
                addCondition(block);
            }
            block.add(line.strip());
        });
        addCondition(block);
    }

    /** The lines of a resource without blank lines and comments. */
    private static Stream<String> lines(String resource) {
        return resource(resource).lines().filter(line -> !line.isBlank() && !line.startsWith("#"));
    }

    static Lexicon bundled() {
        return BUNDLED;
    }

    /** All conditions, in the order of the files. */
    Collection<Condition> conditions() {
        return conditions.values();
    }

    Template rule(String name) {
        return Optional.ofNullable(rules.get(name))
                .orElseThrow(() -> new IllegalArgumentException("no rule in phrases.txt: " + name));
    }

    static String resource(String name) {
        try (InputStream in = Lexicon.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing resource: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void addCondition(List<String> block) {
        if (!block.isEmpty()) {
            Condition condition = parseCondition(block);
            conditions.put(condition.code(), condition);
            block.clear();
        }
    }

    private Condition parseCondition(List<String> block) {
        String[] head = block.get(0).split(" +", -1);
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : block.subList(1, block.size())) {
            int space = line.indexOf(' ');
            fields.merge(line.substring(0, space), line.substring(space + 1), (a, b) -> a + " | " + b);
        }
        Optional<Condition> base = Optional.ofNullable(fields.get("like")).map(conditions::get);
        return new Condition(
                head[0],
                weight(head[1]),
                Role.valueOf(head[2].toUpperCase(Locale.ROOT)),
                Optional.ofNullable(fields.get("place")).map(place -> Section.valueOf(place.toUpperCase(Locale.ROOT))),
                new Demographics(
                        ages(fields.getOrDefault("age", "18-97")),
                        Optional.ofNullable(fields.get("sex")).map(Sex::valueOf)),
                new Relations(
                        Set.of(head[3].split(",", -1)),
                        base.map(other -> other.relations().groups())
                                .orElse(Set.of(
                                        fields.getOrDefault("group", head[0]).split(" ", -1))),
                        list(fields, "needs", " "),
                        list(fields, "from", " \\+ ")),
                wording(head[0], fields, base.map(Condition::wording)));
    }

    private static Wording wording(String code, Map<String, String> fields, Optional<Wording> base) {
        Template names = Template.parse(fields.getOrDefault("name", code));
        Map<Field, Template> phrases = new EnumMap<>(Field.class);
        base.ifPresent(other -> phrases.putAll(other.phrases()));
        for (Field field : Field.values()) {
            String source = fields.get(field.name().toLowerCase(Locale.ROOT));
            if (source != null) {
                phrases.put(field, Template.parse(source));
            }
        }
        return new Wording(
                base.map(other -> other.names().or(names)).orElse(names),
                phrases,
                base.map(Wording::findings).orElseGet(() -> findings(fields.getOrDefault("find", ""))));
    }

    private static int weight(String text) {
        return switch (text) {
            case "rare" -> Condition.TAIL;
            case "combined" -> Condition.COMBINED;
            default -> Integer.parseInt(text);
        };
    }

    private static Ages ages(String range) {
        int dash = range.indexOf('-');
        return new Ages(Integer.parseInt(range.substring(0, dash)), Integer.parseInt(range.substring(dash + 1)));
    }

    private static List<String> list(Map<String, String> fields, String key, String separator) {
        return fields.containsKey(key) ? Arrays.asList(fields.get(key).split(separator, -1)) : List.of();
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
