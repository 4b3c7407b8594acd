package org.plant4j.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.plant4j.Coder;
import org.plant4j.CodingResult;
import org.plant4j.Evidence;
import org.plant4j.Explanation;
import org.plant4j.Suggestion;
import org.plant4j.cli.option.JsonOption;

/** The library: odd texts and arguments. */
final class CoderTarget implements FuzzTarget {

    private static final double TOLERANCE = 1e-5;

    private final List<Coder> coders = new ArrayList<>();

    CoderTarget(Path directory) {
        TinyRuns runs = TinyRuns.in(directory);
        TinyRuns.MODELS.forEach(model -> coders.add(Coder.load(runs.train(model))));
    }

    @Override
    public String name() {
        return "coder";
    }

    @Override
    public void close() {
        coders.forEach(Coder::close);
    }

    @Override
    public Outcome test(FuzzInput input) {
        int model = input.below(coders.size());
        Coder coder = coders.get(model);
        String text = text(input);
        input.step(TinyRuns.MODELS.get(model) + " codes " + text);
        CodingResult result = coder.code(text, 10);
        check(text, result.suggestions());
        SilentDifference.check(JsonOption.pretty(result), JsonOption.pretty(coder.code(text, 10)));
        switch (input.below(4)) {
            case 0 -> checkBatch(coder, text, result.suggestions(), input);
            case 1 -> checkExplanation(coder, text, result.suggestions());
            case 2 -> checkSpaces(coder, text, result.suggestions());
            default -> checkArguments(coder, text, input);
        }
        return Outcome.ACCEPTED;
    }

    private static String text(FuzzInput input) {
        if (input.chance(0.003)) {
            return OddText.any(input, 1_000_000);
        }
        return input.chance(0.3)
                ? OddText.mutate(TinyRuns.text(input.below(16)), input)
                : OddText.any(input, input.pick(20, 200, 2_000, 20_000));
    }

    /** Best first, probabilities between 0 and 1, and evidence that quotes the text. */
    private static void check(String text, List<Suggestion> suggestions) {
        double last = 1;
        for (Suggestion suggestion : suggestions) {
            if (!(suggestion.score() >= 0 && suggestion.score() <= last)
                    || !(suggestion.probability() >= 0 && suggestion.probability() <= 1)) {
                throw new SilentDifference(
                        "score " + suggestion.score() + " after " + last + ", probability " + suggestion.probability());
            }
            last = suggestion.score();
            for (Evidence evidence : suggestion.evidence()) {
                SilentDifference.check(
                        text.substring(evidence.span().start(), evidence.span().end()), evidence.text());
            }
        }
    }

    /** Other documents in the batch change nothing but rounding. */
    private static void checkBatch(Coder coder, String text, List<Suggestion> alone, FuzzInput input) {
        String other = OddText.any(input, 2_000);
        input.step("together with " + other);
        checkScores(alone, coder.code(List.of(other, text), 10).get(1).suggestions());
    }

    private static void checkExplanation(Coder coder, String text, List<Suggestion> suggestions) {
        checkScores(
                suggestions,
                coder.explain(text, 10).stream().map(Explanation::suggestion).toList());
    }

    /** Spaces separate tokens, however many there are. */
    private static void checkSpaces(Coder coder, String text, List<Suggestion> suggestions) {
        checkScores(
                suggestions,
                coder.code("\n " + text.replace(" ", " \t ") + "\n", 10).suggestions());
    }

    private static void checkScores(List<Suggestion> expected, List<Suggestion> found) {
        SilentDifference.check(codes(expected), codes(found));
        for (int i = 0; i < expected.size(); i++) { // both are sorted by score
            if (Math.abs(expected.get(i).score() - found.get(i).score()) > TOLERANCE) {
                throw new SilentDifference(JsonOption.pretty(expected) + " but " + JsonOption.pretty(found));
            }
        }
    }

    /** In alphabetical order, since rounding may swap codes with almost equal scores. */
    private static List<String> codes(List<Suggestion> suggestions) {
        return suggestions.stream().map(Suggestion::code).sorted().toList();
    }

    /** Odd numbers of codes and unknown codes are answered, or refused as documented. */
    private static void checkArguments(Coder coder, String text, FuzzInput input) {
        int count = input.pick(Integer.MIN_VALUE, -1, 0, 1, 1000, Integer.MAX_VALUE);
        input.step("codes: " + count);
        try {
            check(text, coder.code(text, count).suggestions());
        } catch (IllegalArgumentException documented) {
            if (count >= 1) {
                throw documented;
            }
        }
        String code = OddText.any(input, 20);
        input.step("explain " + code);
        coder.explain(text, code);
    }
}
