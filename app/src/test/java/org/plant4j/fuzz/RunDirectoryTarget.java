package org.plant4j.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.plant4j.Coder;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.experiment.RunDirectory;

/** Damaged run directories: an error, or the same answers. */
final class RunDirectoryTarget implements FuzzTarget {

    /** Ordinary texts, a negated one and a foreign one, so that every part of an answer occurs. */
    private static final List<String> TEXTS = List.of(
            TinyRuns.text(0),
            TinyRuns.text(5),
            "There was no " + TinyRuns.text(10),
            "Lorem ipsum dolor sit amet, consectetur adipiscing elit.");

    private final Path copy;
    private final List<Path> runs = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();

    RunDirectoryTarget(Path directory) {
        copy = directory.resolve("copy");
        TinyRuns tiny = TinyRuns.in(directory.resolve("tiny"));
        for (String model : TinyRuns.MODELS) {
            runs.add(tiny.train(model));
            answers.add(answer(runs.get(runs.size() - 1)));
        }
    }

    @Override
    public String name() {
        return "run-directory";
    }

    @Override
    public Outcome test(FuzzInput input) throws IOException {
        int chosen = input.below(runs.size());
        Path other = runs.get((chosen + input.between(1, runs.size() - 1)) % runs.size());
        DirectoryDamage.copy(runs.get(chosen), copy);
        Path file = input.pick(DirectoryDamage.files(copy));
        DirectoryDamage.damage(file, copy, other, input);
        SilentDifference.check(answers.get(chosen), answer(copy));
        return Outcome.SAME;
    }

    /** Codes with everything that a coder sees. */
    private static String answer(Path run) {
        StringBuilder answer = new StringBuilder();
        try (Coder coder = Coder.load(run)) {
            for (String text : TEXTS) {
                answer.append(JsonOption.pretty(coder.code(text, 10))).append('\n');
            }
            answer.append(RunDirectory.open(run).calibrationOrNone().bands());
        }
        return answer.toString();
    }
}
