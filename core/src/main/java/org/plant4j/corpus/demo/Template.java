package org.plant4j.corpus.demo;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A phrase that reads differently each time it is written: {@code a | b} at the top and {@code {a|b}} inside choose,
 * {@code {1.2..2.4}} is a number, {@code <name>} is filled by the writer, and {@code [words]} support a code.
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
        Template template = parser.template('\0');
        if (parser.at != source.length()) {
            throw new IllegalArgumentException("template: unbalanced at " + parser.at + " in '" + source + "'");
        }
        return template;
    }

    /** The choice of both. */
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
        for (Element part : alternatives.get(alternative)) {
            part.write(text, random, slots);
        }
    }

    private static final class Parser {
        private final String source;
        private int at;

        Parser(String source) {
            this.source = source;
        }

        Template template(char close) {
            List<List<Element>> alternatives = new ArrayList<>();
            List<Element> parts = new ArrayList<>();
            StringBuilder words = new StringBuilder();
            while (at < source.length() && source.charAt(at) != close) {
                char c = source.charAt(at);
                if (c == '|') {
                    // At the top the bars stand between blanks; inside braces a blank belongs to its alternative.
                    flush(words, parts, close != '}');
                    alternatives.add(parts);
                    parts = new ArrayList<>();
                    at++;
                    while (close != '}' && at < source.length() && source.charAt(at) == ' ') {
                        at++;
                    }
                } else if (c == '{' || c == '[' || (c == '<' && at(SLOT).lookingAt())) {
                    flush(words, parts, false);
                    parts.add(special(c));
                } else {
                    words.append(c);
                    at++;
                }
            }
            flush(words, parts, false);
            alternatives.add(parts);
            return new Template(alternatives);
        }

        private Element special(char open) {
            Matcher slot = at(SLOT);
            if (slot.lookingAt()) {
                String name = slot.group(1);
                at = slot.end();
                return (text, random, slots) -> slots.accept(name);
            }
            Matcher number = at(NUMBER);
            if (number.lookingAt()) {
                at = number.end();
                return number(new BigDecimal(number.group(1)), new BigDecimal(number.group(2)));
            }
            char close = open == '{' ? '}' : ']';
            at++;
            Template inner = template(close);
            if (at == source.length()) {
                throw new IllegalArgumentException("template: no '" + close + "' in '" + source + "'");
            }
            at++;
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

        private Matcher at(Pattern pattern) {
            return pattern.matcher(source).region(at, source.length());
        }

        private static void flush(StringBuilder words, List<Element> parts, boolean strip) {
            String literal = strip ? words.toString().stripTrailing() : words.toString();
            words.setLength(0);
            if (!literal.isEmpty()) {
                parts.add((text, random, slots) -> text.append(literal));
            }
        }
    }
}
