package org.plant4j.cli.encoder;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.plant4j.Precision;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.ExperimentArgument;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.importer.EncoderImporter;
import org.plant4j.encoder.importer.EncoderImporter.ImportResult;
import org.plant4j.encoder.importer.LanguageModelImporter;
import org.plant4j.encoder.importer.MavenCoordinate;
import org.plant4j.experiment.Experiment;
import org.plant4j.pipeline.ObservedTokens;
import org.plant4j.text.SubwordTokenizer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant encoder import}: converts a published encoder for use in experiments. */
@Command(
        name = "import",
        description = {
            "Import a published encoder: BERT, RoBERTa or XLM-R.",
            "SOURCE is a Hugging Face directory, an .onnx file next to its tokenizer.json, a jar with an ONNX model or"
                    + " a TensorFlow SavedModel, or the Maven coordinate of such a jar."
        },
        footer = {
            "",
            "Examples:",
            "  plant encoder import bert-base-multilingual-cased/ -o encoders/mbert",
            "  plant encoder import group:artifact:1.0.0 -o encoders/mbert"
        })
final class EncoderImportCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Parameters(
            paramLabel = "SOURCE",
            description =
                    "Directory, .onnx file, jar, group:artifact:version, or .pth file of a fastai language model.")
    private String source;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "DIR",
            description = "Directory to create.")
    private Path output = Path.of("encoders");

    @Option(
            names = "--precision",
            paramLabel = "PRECISION",
            defaultValue = "float32",
            description = "Precision of the stored weights: float32 or bfloat16 (default: ${DEFAULT-VALUE}).")
    private Precision precision = Precision.FLOAT32;

    @Option(
            names = "--keep-tokens-of",
            paramLabel = "EXPERIMENT",
            arity = "1..*",
            description =
                    "Shrink the vocabulary to single characters and tokens that occur in the training and unlabelled"
                            + " documents or code descriptions of these experiments.")
    private List<String> experiments = List.of();

    @Option(
            names = "--heads",
            paramLabel = "N",
            description = "Number of attention heads, if the source does not state it (default: hidden size / 64).")
    private Optional<Integer> heads = Optional.empty();

    @Override
    public Integer call() {
        OptionCheck.storable("--precision", precision);
        Path file = MavenCoordinate.parse(source)
                .map(coordinate -> coordinate.jar(MavenCoordinate.localRepository()))
                .orElseGet(() -> Path.of(source));
        if (file.toString().endsWith(".pth")) {
            return importLanguageModel(file);
        }
        // Read before the import, which takes long, so that mistakes are reported at once.
        List<Experiment> read = experiments.stream()
                .map(named -> ExperimentArgument.read(named, List.of()))
                .toList();
        Optional<Function<Path, Set<String>>> observed =
                read.isEmpty() ? Optional.empty() : Optional.of(tokenizer -> observed(read, tokenizer));
        ImportResult imported = EncoderImporter.run(
                file,
                output,
                new EncoderImporter.Options(
                        precision, heads.map(OptionalInt::of).orElse(OptionalInt.empty()), observed));
        common.info("Imported from " + imported.format() + ": " + imported.keptTokens() + " of "
                + imported.sourceTokens() + " tokens");
        common.out().print(new EncoderTable(new EncoderDirectory(output)).toText(common.color()));
        common.info("Use it in an experiment with: extends: [plant-bert, " + new EncoderDirectory(output).configFile()
                + "]");
        return CommandLine.ExitCode.OK;
    }

    /** A language model of fastai has no tokenizer and sizes of its own, so that it becomes two files. */
    private int importLanguageModel(Path file) {
        LanguageModelImporter.ImportResult imported = LanguageModelImporter.run(file, output, precision);
        common.info("Imported from PyTorch: " + imported.tensors() + " tensors, " + imported.tokens() + " tokens");
        if (imported.tokens() == 0) {
            common.info("There is no vocabulary (.pkl) next to the file; write it to " + output.resolve("words.txt")
                    + ", one token per line.");
        }
        common.info("Use it in an experiment with: language_model: {start: {weights: "
                + output.resolve("weights.safetensors") + ", vocabulary: " + output.resolve("words.txt") + "}}");
        return CommandLine.ExitCode.OK;
    }

    private Set<String> observed(List<Experiment> read, Path file) {
        try (SubwordTokenizer tokenizer = SubwordTokenizer.open(file)) {
            return ObservedTokens.of(read, tokenizer, BadRowHandler.fail(), common.progress());
        }
    }
}
