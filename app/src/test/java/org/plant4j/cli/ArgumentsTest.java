package org.plant4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.cli.code.DocumentInput;
import org.plant4j.cli.terminal.Terminal;
import org.plant4j.support.UserError;

/** Arguments that cannot be served end with 2 and say what to do. */
class ArgumentsTest {

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path run;

    @BeforeEach
    void aRunThatHasOnlyBegun() throws IOException {
        run = Files.createDirectories(folder.resolve("begun"));
        Files.writeString(run.resolve("manifest.json"), "{}");
    }

    private void assertFault(String what, String remedy, Object... args) {
        String[] texts = new String[args.length];
        for (int i = 0; i < args.length; i++) {
            texts[i] = args[i].toString();
        }
        err.getBuffer().setLength(0);
        assertThat(Main.run(Terminal.NONE, new PrintWriter(out), new PrintWriter(err), texts))
                .isEqualTo(2);
        assertThat(err.toString()).contains(what, remedy).doesNotContain("\tat ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anUnknownRunNamesTheNearest() {
        assertFault("No such run", "did you mean", "evaluate", folder.resolve("begn"));
    }

    @Test
    void aFolderThatIsNoRunNamesThoseThatAre() {
        assertFault("has no manifest.json", "plant run", "predict", folder, "--text", "a note");
    }

    @Test
    void aFileIsNoRun() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertFault("This is a file", "begun", "compare", file, file);
    }

    @Test
    void anEncoderThatWasNotFetchedNamesTheCommandThatFetchesIt() {
        assertFault(
                "not in the local Maven repository",
                "mvn dependency:get -Dartifact=org.plant4j.nowhere:bert:0 -Dtransitive=false",
                "encoder",
                "import",
                "org.plant4j.nowhere:bert:0",
                "--output",
                folder.resolve("bert"));
    }

    @Test
    void aFolderThatIsNoEncoderCanNeitherBeShownNorFill() {
        assertFault("tokenizer.json is missing", "plant encoder import", "encoder", "show", folder);
        assertFault("tokenizer.json is missing", "plant encoder import", "encoder", "fill", folder, "[MASK]");
    }

    @Test
    void anUnfinishedRunHasNothingToShow() {
        assertFault("no evaluation", "plant run", "evaluate", run);
    }

    @Test
    void anExperimentIsFileOrPackaged() {
        assertFault("There is no experiment 'demo-lat'", "demo-laat", "run", "demo-lat");
    }

    @Test
    void aMissingExperimentFile() {
        assertFault("no such experiment file", "check the path", "run", folder.resolve("my.yaml"));
    }

    @Test
    void aFolderIsNoExperiment() {
        assertFault("This is a directory, not an experiment", "YAML file", "prepare", folder);
    }

    @Test
    void twoExperimentsOfOneName() {
        assertFault("Two experiments have the name", "its own name", "run", "demo-prior", "demo-prior");
    }

    @Test
    void aSettingThatDoesNotExist() {
        assertFault("training.epoch'", "epochs", "run", "demo-prior", "--set", "training.epoch=3");
    }

    @Test
    void aCorpusNeedsAFormat() {
        assertFault("--corpus needs a format", "--format", "predict", run, "--corpus", folder);
    }

    @Test
    void aTextOrAFileButNotBoth() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "a note");
        assertFault("a corpus are given", "drop one", "predict", run, file, "--format", "demo");
    }

    @Test
    void tsvOrJsonButNotBoth() {
        assertFault(
                "Several of --tsv, --json and --ranking",
                "use one",
                "predict",
                run,
                "--text",
                "a note",
                "--tsv",
                "--json");
    }

    @Test
    void noCodesAreTooFew() {
        assertFault("--codes must be at least 1", "1 or more", "predict", run, "--text", "a note", "--codes", 0);
    }

    @Test
    void rankingsThatCannotBeMerged() throws IOException {
        Path one = Files.writeString(folder.resolve("one.tsv"), "n1\tA\t1\t0.9\nn2\tA\t1\t0.9\n");
        Path two = Files.writeString(folder.resolve("two.tsv"), "n1\tA\t1\t0.9\n");
        Path bad = Files.writeString(folder.resolve("bad.tsv"), "n1\tA\t1\t0.9\nn1 B\n");
        Path to = folder.resolve("merged.tsv");
        assertFault("1 document that", "--ranking", "ranking", "merge", one, two, "-o", to);
        assertFault(bad + ":2", "tab-separated", "ranking", "merge", one, bad, "-o", to);
        assertFault("No such file", "check the path", "ranking", "merge", one, folder.resolve("no"), "-o", to);
        assertFault("3 weights", "2 rankings", "ranking", "merge", one, one, "-o", to, "--weights", "1,2,3");
        assertFault(
                "weights must not", "at least one above 0", "ranking", "merge", one, one, "-o", to, "--weights", "0,0");
        assertFault("weights must not", "0 or more", "ranking", "merge", one, one, "-o", to, "--weights", "1,-1");
        assertFault("--top must be at least 1", "1 or more", "ranking", "merge", one, one, "-o", to, "--top", 0);
        assertFault("This is a directory", "name a file", "ranking", "merge", one, one, "-o", folder);
        assertThat(to).doesNotExist();
    }

    @Test
    void aRankingThatCannotBeScored() throws IOException {
        Path ranked = Files.writeString(folder.resolve("ranked.tsv"), "n1\tA\t1\t0.9\n");
        assertFault("None of the ranked documents", "split", "ranking", "score", "demo-laat", ranked);
        assertFault("No such split: 'tset'", "test", "ranking", "score", "demo-laat", ranked, "--split", "tset");
        assertFault("There is no experiment 'demo-lat'", "demo-laat", "ranking", "score", "demo-lat", ranked);
        Path withheld = Files.writeString(folder.resolve("withheld.yaml"), """
                extends: demo-prior
                name: withheld
                corpus: {format: text, path: notes, train: [], dev: [], test: [], options: {}}
                """);
        Files.writeString(Files.createDirectories(folder.resolve("notes")).resolve("n1.txt"), "A note.");
        assertFault("no gold codes", "split with gold codes", "ranking", "score", withheld, ranked, "--split", "train");
    }

    @Test
    void aRowThatCannotBeReadIsLeftOutOfAScoreOnlyWhenAsked() throws IOException {
        Path ranked = Files.writeString(folder.resolve("ranked.tsv"), "n1\tA\t1\t0.9\n");
        Files.writeString(folder.resolve("notes.csv"), "id,text,codes\nn1,A note.,A\n,Another.,A\n");
        Path experiment = Files.writeString(folder.resolve("bad-row.yaml"), """
                extends: demo-prior
                name: bad-row
                corpus: {format: csv, path: ., train: [notes.csv], dev: [notes.csv], test: [notes.csv], options: {}}
                """);
        assertFault("notes.csv:3", "row", "ranking", "score", experiment, ranked);
        String[] skipping = {"ranking", "score", experiment.toString(), ranked.toString(), "--skip-bad-rows"};
        assertThat(Main.run(Terminal.NONE, new PrintWriter(out), new PrintWriter(err), skipping))
                .isZero();
        assertThat(out.toString()).contains("MAP", "1.0000", "On 1 dev documents.");
        assertThat(err.toString()).contains("Skipped 1 row", "notes.csv:3");
    }

    @Test
    void aTestOfNoPermutations() {
        assertFault("--permutations must be at least 1", "1 or more", "compare", run, run, "--permutations", "0");
    }

    @Test
    void aCorpusMustBeNamed() {
        assertFault("No corpus given", "demo-laat", "corpus", "stats");
    }

    @Test
    void anUnknownPartOfACorpus() {
        assertFault("No such split: 'tset'", "test", "corpus", "export", "--format", "demo", "--split", "tset");
    }

    @Test
    void notesMustBeText() throws IOException {
        Path latin = Files.write(folder.resolve("latin.txt"), "ni\u00f1o".getBytes(StandardCharsets.ISO_8859_1));
        Path binary = Files.write(folder.resolve("binary"), new byte[] {65, 0, 66});
        Path empty = Files.writeString(folder.resolve("empty.txt"), " \n");
        assertThat(fault(latin)).contains("not UTF-8", "iconv");
        assertThat(fault(binary)).contains("binary file");
        assertThat(fault(empty)).contains("The document is empty");
        assertThat(fault(folder)).contains("This is a directory", "--format text");
    }

    /** What is said of a note that cannot be read, before any model is loaded. */
    private static String fault(Path file) {
        try {
            DocumentInput.read(file.toString());
        } catch (UserError error) {
            return error.what() + ", " + error.remedy();
        }
        return "";
    }
}
