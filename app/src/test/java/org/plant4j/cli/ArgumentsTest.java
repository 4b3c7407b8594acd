package org.plant4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.cli.code.DocumentInput;
import org.plant4j.cli.terminal.Terminal;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.support.FileChecksums;

/** Invalid arguments end with exit code 2 and a message that names the remedy. */
class ArgumentsTest {

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path run;

    @BeforeEach
    void createUnfinishedRun() {
        run = directory.resolve("unfinished");
        new RunDirectory(run)
                .create(
                        new RunManifest(
                                RunManifest.FORMAT,
                                "unfinished",
                                RunManifest.TRAINING,
                                "",
                                1,
                                "",
                                "",
                                Map.of(),
                                Map.of(),
                                Map.of(),
                                Map.of(),
                                Optional.empty(),
                                FileChecksums.NONE),
                        staging -> {});
    }

    private void assertError(String what, String remedy, Object... args) {
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
    void anUnknownRunIsReportedWithSuggestions() {
        assertError("No such run", "did you mean", "evaluate", directory.resolve("unfinshed"));
    }

    @Test
    void aDirectoryWithoutAManifestIsNotARun() throws IOException {
        // Apart from other directories, because those with a similar name would be suggested instead.
        Path empty = Files.createDirectories(directory.resolve("other/empty"));
        assertError("has no manifest.json", "plant run", "predict", empty, "--text", "a note");
    }

    @Test
    void aFileIsNotARunDirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");
        assertError("This is a file", "unfinished", "compare", file, file);
    }

    @Test
    void anEncoderThatIsNotDownloadedIsReportedWithTheCommand() {
        assertError(
                "not in the local Maven repository",
                "mvn dependency:get -Dartifact=org.plant4j.nowhere:bert:0 -Dtransitive=false",
                "encoder",
                "import",
                "org.plant4j.nowhere:bert:0",
                "--output",
                directory.resolve("bert"));
    }

    @Test
    void aDirectoryWithoutAnEncoderIsRejected() {
        assertError("tokenizer.json is missing", "plant encoder import", "encoder", "show", directory);
        assertError("tokenizer.json is missing", "plant encoder import", "encoder", "fill", directory, "[MASK]");
    }

    @Test
    void anUnfinishedRunHasNoEvaluation() {
        assertError("no evaluation", "plant run", "evaluate", run);
    }

    @Test
    void anUnknownExperimentIsReportedWithSuggestions() {
        assertError("Unknown model 'lat'", "laat", "run", "lat@demo");
    }

    @Test
    void aMissingExperimentFile() {
        assertError("experiment file does not exist", "check the path", "run", directory.resolve("my.yaml"));
    }

    @Test
    void aDirectoryIsNotAnExperiment() {
        assertError("This is a directory, not an experiment", "YAML file", "prepare", directory);
    }

    @Test
    void aModelWithoutACorpusIsReportedWithExperimentsThatWork() {
        assertError("needs a corpus", "plant@demo", "run", "plant");
    }

    @Test
    void twoExperimentsWithTheSameName() {
        assertError("Two experiments have the name", "its own name", "run", "prior@demo", "prior@demo");
    }

    @Test
    void aSettingThatDoesNotExist() {
        assertError("training.epoch'", "epochs", "run", "prior@demo", "--set", "training.epoch=3");
    }

    @Test
    void aCorpusOfUnknownFormatAndMixedFiles() throws IOException {
        Path table = Files.writeString(directory.resolve("a.jsonl"), "{}");
        Path text = Files.writeString(directory.resolve("b.txt"), "a note");
        assertError("Some files are corpora", "two commands", "predict", run, table, text);
        assertError("a corpus are given", "drop one", "predict", run, text, "--corpus", table);
    }

    @Test
    void aFileAndACorpusExcludeEachOther() throws IOException {
        Path file = Files.writeString(directory.resolve("a.txt"), "a note");
        assertError("a corpus are given", "drop one", "predict", run, file, "--format", "demo");
    }

    @Test
    void tsvAndJsonExcludeEachOther() {
        assertError(
                "Several of --tsv, --csv, --json and --ranking",
                "use one",
                "predict",
                run,
                "--text",
                "a note",
                "--tsv",
                "--json");
    }

    @Test
    void topMustBeAtLeastOne() {
        assertError("--top must be at least 1", "1 or more", "predict", run, "--text", "a note", "--top", 0);
    }

    /** A learned merge whose weights are 0. */
    private Path fittedTo(int rankings) throws IOException {
        int features = 2 * rankings + 2;
        String zeros = Collections.nCopies(features, 0).toString();
        return Files.writeString(directory.resolve("weights.json"), """
                {"stacking": {"regression":
                  {"lowest": %s, "highest": %s, "mean": %s, "scale": %s, "weights": %s}},
                 "documents": 5, "member_map": %s, "mean_map": 0.5, "map": 0.5}
                """.formatted(
                        zeros,
                        zeros,
                        zeros,
                        zeros,
                        Collections.nCopies(features + features * (features + 1) / 2 + 1, 0),
                        Collections.nCopies(rankings, 0.5)));
    }

    @Test
    void rankingsThatCannotBeMerged() throws IOException {
        Path one = Files.writeString(directory.resolve("one.tsv"), "n1\tA\t1\t0.9\nn2\tA\t1\t0.9\n");
        Path two = Files.writeString(directory.resolve("two.tsv"), "n1\tA\t1\t0.9\n");
        Path bad = Files.writeString(directory.resolve("bad.tsv"), "n1\tA\t1\t0.9\nn1 B\n");
        Path to = directory.resolve("merged.tsv");
        assertError("1 document that", "--ranking", "ranking", "merge", one, two, "-o", to);
        assertError(bad + ":2", "tab-separated", "ranking", "merge", one, bad, "-o", to);
        assertError("No such file", "check the path", "ranking", "merge", one, directory.resolve("no"), "-o", to);
        assertError("3 weights", "2 rankings", "ranking", "merge", one, one, "-o", to, "--weights", "1,2,3");
        assertError(
                "weights must not", "at least one above 0", "ranking", "merge", one, one, "-o", to, "--weights", "0,0");
        assertError("weights must not", "0 or more", "ranking", "merge", one, one, "-o", to, "--weights", "1,-1");
        assertError("--top must be at least 1", "1 or more", "ranking", "merge", one, one, "-o", to, "--top", 0);
        assertError("This is a directory", "name a file", "ranking", "merge", one, one, "-o", directory);
        Path weights = fittedTo(1);
        assertError("belong together", "give both", "ranking", "merge", one, one, "-o", to, "--fitted", weights);
        assertError(
                "fitted to 1 rankings, not 2",
                "same order",
                "ranking",
                "merge",
                one,
                one,
                "-o",
                to,
                "--fitted",
                weights,
                "--experiment",
                "laat@demo");
        assertError("have bad rows", "--fitted", "ranking", "merge", one, one, "-o", to, "--skip-bad-rows");
        assertError("No ranking lists a gold code", "split", "ranking", "fit", "laat@demo", one, one, "-o", to);
        assertError("trained on", "--split dev", "ranking", "fit", "laat@demo", one, one, "-o", to, "--split", "train");
        assertThat(to).doesNotExist();
    }

    @Test
    void rankingsThatCannotBeScored() throws IOException {
        Path ranked = Files.writeString(directory.resolve("ranked.tsv"), "n1\tA\t1\t0.9\n");
        assertError("None of the ranked documents", "split", "ranking", "score", "laat@demo", ranked);
        assertError("No such split: 'tset'", "test", "ranking", "score", "laat@demo", ranked, "--split", "tset");
        assertError("Unknown model 'lat'", "laat", "ranking", "score", "lat@demo", ranked);
        Path withheld = Files.writeString(directory.resolve("withheld.yaml"), """
                extends: prior@demo
                name: withheld
                corpus: {format: text, path: notes, train: [], dev: [], test: [], options: {}}
                """);
        Files.writeString(Files.createDirectories(directory.resolve("notes")).resolve("n1.txt"), "A note.");
        assertError("no gold codes", "split with gold codes", "ranking", "score", withheld, ranked, "--split", "train");
    }

    @Test
    void badRowsAreSkippedOnlyOnRequest() throws IOException {
        Path ranked = Files.writeString(directory.resolve("ranked.tsv"), "n1\tA\t1\t0.9\n");
        Files.writeString(directory.resolve("notes.csv"), "id,text,codes\nn1,A note.,A\n,Another.,A\n");
        Path experiment = Files.writeString(directory.resolve("bad-row.yaml"), """
                extends: prior@demo
                name: bad-row
                corpus: {format: csv, path: ., train: [notes.csv], dev: [notes.csv], test: [notes.csv], options: {}}
                """);
        assertError("notes.csv:3", "row", "ranking", "score", experiment, ranked);
        String[] skipping = {"ranking", "score", experiment.toString(), ranked.toString(), "--skip-bad-rows"};
        assertThat(Main.run(Terminal.NONE, new PrintWriter(out), new PrintWriter(err), skipping))
                .isZero();
        assertThat(out.toString()).contains("MAP", "100.00", "on 1 dev documents.");
        assertThat(err.toString()).contains("Skipped 1 row", "notes.csv:3");
        Path to = directory.resolve("merged.tsv");
        Object[] merging = {
            "ranking", "merge", ranked, ranked, "-o", to, "--fitted", fittedTo(2), "--experiment", experiment
        };
        out.getBuffer().setLength(0);
        assertError("notes.csv:3", "row", merging);
        String[] both = Stream.concat(Stream.of(merging), Stream.of("--skip-bad-rows"))
                .map(Object::toString)
                .toArray(String[]::new);
        assertThat(Main.run(Terminal.NONE, new PrintWriter(out), new PrintWriter(err), both))
                .isZero();
        assertThat(err.toString()).contains("Skipped 1 row", "notes.csv:3");
        assertThat(to).exists();
    }

    @Test
    void compareNeedsAPermutation() {
        assertError("--permutations must be at least 1", "1 or more", "compare", run, run, "--permutations", "0");
    }

    @Test
    void aCorpusCommandNeedsACorpus() {
        assertError("No corpus given", "laat@demo", "corpus", "stats");
    }

    @Test
    void anUnknownSplitOfACorpus() {
        assertError("No such split: 'tset'", "test", "corpus", "export", "--format", "demo", "--split", "tset");
    }

    @Test
    void documentsMustBeText() throws IOException {
        Path latin = Files.write(directory.resolve("latin.txt"), "ni\u00f1o".getBytes(StandardCharsets.ISO_8859_1));
        Path binary = Files.write(directory.resolve("binary"), new byte[] {65, 0, 66});
        Path empty = Files.writeString(directory.resolve("empty.txt"), " \n");
        assertThat(error(latin)).contains("not UTF-8", "iconv");
        assertThat(error(binary)).contains("binary file");
        assertThat(error(empty)).contains("The document is empty");
        assertThat(error(directory)).contains("This is a directory", "--format text");
        Path json = Files.writeString(directory.resolve("notes.json"), "[{\"id\": 1, \"text\": \"a note\"}]");
        assertThat(error(json)).contains("not a text file", "JSON lines", "--fhir");
        Path page = Files.writeString(directory.resolve("page.HTML"), "<p>a note</p>");
        assertThat(error(page)).contains("not a text file", "save documents as .txt");
    }

    @Test
    void documentsHaveALongestLength() throws IOException {
        Path longest = Files.writeString(directory.resolve("longest.txt"), "é".repeat(Document.MAX_CHARACTERS));
        assertThat(DocumentInput.read(longest.toString()).text()).hasSize(Document.MAX_CHARACTERS);
        Path longer = Files.writeString(directory.resolve("longer.txt"), "x".repeat(Document.MAX_CHARACTERS + 1));
        Path huge = Files.writeString(directory.resolve("huge.txt"), "€".repeat(Document.MAX_CHARACTERS + 1));
        assertThat(error(longer)).contains("more than 1,000,000 characters", "split it");
        assertThat(error(huge)).contains("more than 1,000,000 characters", "split it");
        assertError("1000001 is too large", "at most 1000000", "serve", run, "--max-length", "1000001");
    }

    /** The error for a document that cannot be read. */
    private static String error(Path file) {
        try {
            DocumentInput.read(file.toString());
        } catch (UserError error) {
            return error.what() + ", " + error.remedy();
        }
        return "";
    }
}
