package org.plant4j.corpus.demo;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A phrase with random alternatives: {@code a | b} at the top level and {@code {a|b}} inside are choices, {@code
 * {1.2..2.4}} is a random number, {@code <name>} is a slot that the writer fills, and {@code [text]} is evidence.
 */
final class Template {

    private static final Pattern NUMBER = Pattern.compile("\\{(\\d+(?:\\.\\d+)?)\\.\\.(\\d+(?:\\.\\d+)?)}");
    private static final Pattern SLOT = Pattern.compile("<([a-z.]+)>");

    private interface Element {
        void write(SummaryBuilder text, Random random, Consumer<String> slots);
    }

    private final List<List<Element>> alternatives;

    private Template(List<List<Element>> alternatives) {
        this.alternatives = List.copyOf(alternatives);
    }

    static Template parse(String source) {
        Parser parser = new Parser(source);
        Template template = parser.parseUntil('\0');
        if (parser.position != source.length()) {
            throw new IllegalArgumentException("unbalanced template at " + parser.position + " in '" + source + "'");
        }
        return template;
    }

    /** A template with the alternatives of both. */
    Template or(Template other) {
        List<List<Element>> all = new ArrayList<>(alternatives);
        all.addAll(other.alternatives);
        return new Template(all);
    }

    int size() {
        return alternatives.size();
    }

    void write(SummaryBuilder text, Random random, Consumer<String> slots) {
        write(random.nextInt(size()), text, random, slots);
    }

    void write(int alternative, SummaryBuilder text, Random random, Consumer<String> slots) {
        for (Element element : alternatives.get(alternative)) {
            element.write(text, random, slots);
        }
    }

    private static final class Parser {
        private final String source;
        private int position;

        Parser(String source) {
            this.source = source;
        }

        Template parseUntil(char close) {
            List<List<Element>> alternatives = new ArrayList<>();
            List<Element> elements = new ArrayList<>();
            StringBuilder literal = new StringBuilder();
            while (position < source.length() && source.charAt(position) != close) {
                char c = source.charAt(position);
                if (c == '|') {
                    // At the top level spaces around bars are layout; inside braces they belong to the alternative.
                    flush(literal, elements, close != '}');
                    alternatives.add(elements);
                    elements = new ArrayList<>();
                    position++;
                    while (close != '}' && position < source.length() && source.charAt(position) == ' ') {
                        position++;
                    }
                } else if (c == '{'
                        || c == '['
                        || (c == '<' && matcherHere(SLOT).lookingAt())) {
                    flush(literal, elements, false);
                    elements.add(parseSpecial(c));
                } else {
                    literal.append(c);
                    position++;
                }
            }
            flush(literal, elements, false);
            alternatives.add(elements);
            return new Template(alternatives);
        }

        private Element parseSpecial(char open) {
            Matcher slot = matcherHere(SLOT);
            if (slot.lookingAt()) {
                String name = slot.group(1);
                position = slot.end();
                return (text, random, slots) -> slots.accept(name);
            }
            Matcher number = matcherHere(NUMBER);
            if (number.lookingAt()) {
                position = number.end();
                return number(new BigDecimal(number.group(1)), new BigDecimal(number.group(2)));
            }
            char close = open == '{' ? '}' : ']';
            position++;
            Template inner = parseUntil(close);
            if (position == source.length()) {
                throw new IllegalArgumentException("missing '" + close + "' in template '" + source + "'");
            }
            position++;
            return open == '{'
                    ? inner::write
                    : (text, random, slots) -> text.markEvidence(() -> inner.write(text, random, slots));
        }

        private static Element number(BigDecimal low, BigDecimal high) {
            int scale = Math.max(low.scale(), high.scale());
            int first = low.movePointRight(scale).intValueExact();
            int last = high.movePointRight(scale).intValueExact();
            return (text, random, slots) ->
                    text.append(BigDecimal.valueOf(first + random.nextInt(last - first + 1), scale)
                            .toPlainString());
        }

        private Matcher matcherHere(Pattern pattern) {
            return pattern.matcher(source).region(position, source.length());
        }

        private static void flush(StringBuilder literal, List<Element> elements, boolean strip) {
            String fragment = strip ? literal.toString().stripTrailing() : literal.toString();
            literal.setLength(0);
            if (!fragment.isEmpty()) {
                elements.add((text, random, slots) -> text.append(fragment));
            }
        }
    }
}
