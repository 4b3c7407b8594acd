package org.plant4j.cli.init;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.Device;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.cli.corpus.CorpusStatsCommand;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.corpus.codeset.CodeSetReader;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.experiment.AutoModel;
import org.plant4j.inspection.CorpusDetector;
import org.plant4j.inspection.CorpusInspection;
import org.plant4j.inspection.CorpusYaml;
import org.plant4j.inspection.ModelAdvice;
import org.plant4j.report.TerminalText;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant init}: inspects own data and writes the experiment file for it. */
@Command(
        name = "init",
        description = {
            "Inspect your documents and write an experiment file for them.",
            "Finds out format, columns, delimiter, encoding, code separator and splits, shows the first documents and"
                    + " statistics, warns about what looks wrong, and recommends a model."
        },
        footer = {
            "",
            "Examples:",
            "  plant init notes.csv",
            "  plant init documents/ --code-set icd10.csv --output my.yaml"
        })
public final class InitCommand implements Callable<Integer> {

    private static final int SHOWN_CODES = 8;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Parameters(
            paramLabel = "SOURCE",
            description = "A .csv, .tsv or .jsonl file, plain or .gz, or a folder of such files or of .txt files.")
    private Path source;

    @Option(
            names = "--code-set",
            paramLabel = "FILE",
            description = "File with codes and descriptions; may be repeated.")
    private List<Path> codeSets = List.of();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "How long training may take, for the recommended model (default: 120).")
    private double minutes = AutoModel.DEFAULT_MINUTES;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Experiment file to write (default: the name of the source with .yaml, here).")
    private Optional<Path> output = Optional.empty();

    @Option(names = "--force", description = "Replace an existing file.")
    private boolean force;

    @Override
    public Integer call() {
        Path file = output.orElseGet(() -> Path.of(name(source) + ".yaml"));
        if (Files.exists(file) && !force) {
            throw new UserError("The file exists", file.toString(), "choose another --output, or replace it: --force");
        }
        if (!codeSets.isEmpty()) {
            CodeSetReader.read(codeSets); // reports a damaged list now
        }
        CorpusConfig config = CorpusDetector.detect(source);
        CorpusInspection inspection = CorpusInspection.of(config, common.progress());
        ModelAdvice advice =
                ModelAdvice.choose(inspection.facts(), AutoModel.means(!codeSets.isEmpty(), Device.AUTO, minutes));
        printDetected(inspection);
        printDocuments(inspection.first());
        common.out().print(CorpusStatsCommand.table(inspection.statistics()).toText(common.color()));
        common.out().println();
        inspection
                .warnings()
                .forEach(warning -> common.out().println(common.bold("Warning: ") + TerminalText.sanitize(warning)));
        common.out().println("Model: " + advice.model() + ", because " + advice.reason() + ".");
        Path directory = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of("/"));
        OutputFile.write(file, new CorpusYaml(inspection, advice, directory).text(name(file), codeSets));
        common.info("");
        common.info("Wrote " + file + ". Check it, then train: plant run " + file);
        return CommandLine.ExitCode.OK;
    }

    private static String name(Path file) {
        String name = String.valueOf(file.toAbsolutePath().normalize().getFileName());
        String stem = name.contains(".") && !name.startsWith(".") ? name.substring(0, name.indexOf('.')) : name;
        String clean = stem.replaceAll("[^A-Za-z0-9_-]+", "-");
        return clean.isEmpty() || clean.equals("-") ? "mine" : clean;
    }

    private void printDetected(CorpusInspection inspection) {
        CorpusConfig config = inspection.config();
        List<String> found = new ArrayList<>(List.of("format " + config.format()));
        if (!config.delimiter().isEmpty()) {
            found.add("delimiter " + (config.delimiter().equals("tab") ? "tab" : "'" + config.delimiter() + "'"));
        }
        config.columns().forEach((role, column) -> found.add(role + " in '" + column + "'"));
        config.options().forEach((option, value) -> found.add(option.replace('_', ' ') + " '" + value + "'"));
        found.add("language " + inspection.language());
        if (inspection.facts().evidence() > 0) {
            found.add(String.format(
                    Locale.ROOT,
                    "gold evidence in %.0f %% of the documents",
                    100 * inspection.facts().evidence()));
        }
        found.add(config.train().isEmpty() ? "split 80/10/10" : "splits as given");
        common.out().println("Detected: " + TerminalText.sanitize(String.join(", ", found)));
        common.out().println();
    }

    /** The first documents as they were read, cut to one line each. */
    private void printDocuments(List<Document> documents) {
        for (Document document : documents) {
            List<String> codes = document.codes().stream().limit(SHOWN_CODES).toList();
            String more = document.codes().size() > SHOWN_CODES ? " …" : "";
            common.out()
                    .println(common.bold(document.id()) + "  "
                            + TerminalText.sanitize(String.join(" · ", codes) + more));
            String text = TerminalText.sanitize(document.text().strip().replaceAll("\\s+", " "));
            common.out().println("  " + TerminalText.truncate(text, common.width() - 2));
        }
        common.out().println();
    }
}
