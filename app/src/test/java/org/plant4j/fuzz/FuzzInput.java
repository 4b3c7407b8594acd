package org.plant4j.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.plant4j.UserError;

/** One input: the random numbers it is made of, and the steps in which it was made, to be printed if it fails. */
final class FuzzInput {

    private static final int PRINTED = 300;

    private final Random random;
    private final List<String> steps = new ArrayList<>();

    /** Depends on nothing but the seed, the target and the index, so that a single input can be repeated. */
    FuzzInput(long seed, String target, long index) {
        random = new Random(((seed * 31 + target.hashCode()) * 1_000_003 + index) * 0x9E3779B97F4A7C15L);
        random.nextLong(); // the first numbers of similar seeds are similar
    }

    Random random() {
        return random;
    }

    /** A number from 0 to {@code bound - 1}. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    /** A number from {@code low} to {@code high}. */
    int between(int low, int high) {
        return low + random.nextInt(high - low + 1);
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    @SafeVarargs
    final <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    void step(String description) {
        steps.add(description.substring(0, Math.min(description.length(), PRINTED)));
    }

    List<String> steps() {
        return steps.stream().map(FuzzInput::printable).toList();
    }

    /** Runs code that must not refuse this input, because it is valid. */
    static <T> T accepted(Supplier<T> code) {
        try {
            return code.get();
        } catch (UserError refusal) {
            throw new AssertionError("refused a valid input: " + refusal.what() + " at " + refusal.where(), refusal);
        }
    }

    /** The beginning of a text in visible ASCII. */
    static String printable(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length() && out.length() < PRINTED; i++) {
            char c = text.charAt(i);
            out.append(c >= ' ' && c < 127 ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return out + (out.length() >= PRINTED ? "… (" + text.length() + " characters)" : "");
    }
}
