package org.plant4j.encoder.importer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.importer.SafetensorsFile.RowSelection;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Precision;

/**
 * Turns a published encoder into a folder of ours: its tokenizer, its pieces in our order, its weights under our names,
 * and the part of an experiment that says its sizes. Rows pass through one by one, so that the heap need not hold them.
 */
public final class EncoderImporter {

    /** The files of Google's BERTs do not tell their heads; all have heads of this size. */
    private static final int HEAD_SIZE = 64;

    /**
     * How it is kept.
     *
     * @param heads for a source that does not tell them
     * @param observedTokens pieces that some texts have, given the file of the tokenizer that cuts them: then only these, special
     *     pieces and those of a single character are kept; empty keeps all
     */
    public record Options(
            Precision precision, OptionalInt heads, Optional<Function<Path, Set<String>>> observedTokens) {}

    /** What was imported: from which kind of source, and how many of its pieces were kept. */
    public record ImportResult(String format, int sourceTokens, int keptTokens, boolean hasLanguageModelHead) {}

    private final Path source;
    private final SourceEncoder original;
    private final BertSizes sizes;
    private final TokenizerFile pieces;
    private final int heads;

    private EncoderImporter(Path source, ModelArchive unpacked, OptionalInt heads) {
        this.source = source;
        this.original = SourceEncoder.open(unpacked);
        this.sizes = BertSizes.of(original.tensors(), source.toString());
        this.pieces = TokenizerConverter.open(unpacked);
        this.heads = heads(heads);
        if (pieces.tokens().size() > sizes.vocabularySize()) {
            throw new UserError(
                    "The tokenizer has " + pieces.tokens().size() + " pieces, but the model only "
                            + sizes.vocabularySize(),
                    source.toString(),
                    "give the tokenizer that belongs to the model");
        }
    }

    /** Makes the folder; nothing is left behind where it fails. */
    public static ImportResult run(Path source, Path target, Options options) {
        if (Files.exists(target)) {
            throw new UserError(
                    "The folder is there already", target.toString(), "name another one, or remove this one first");
        }
        // Beside the target, where its room is too: a temporary folder may be small, and no move leaves a disk at once.
        try (ModelArchive unpacked =
                ModelArchive.open(source, target.resolveSibling(target.getFileName() + ".unpacked"))) {
            EncoderImporter running = new EncoderImporter(source, unpacked, options.heads());
            Path draft = ModelArchive.createEmptyDirectory(target.resolveSibling(target.getFileName() + ".draft"));
            try {
                ImportResult imported = running.write(new EncoderDirectory(draft), options);
                Files.move(draft, target);
                return imported;
            } finally {
                if (Files.exists(draft)) {
                    ModelArchive.deleteRecursively(draft);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + target, e);
        }
    }

    private ImportResult write(EncoderDirectory draft, Options options) throws IOException {
        pieces.write(draft.tokenizer());
        List<Integer> order = pieces.selectIds(options.observedTokens()
                .map(met -> kept(met.apply(draft.tokenizer())))
                .orElseGet(() -> new HashSet<>(pieces.tokens())));
        List<String> kept = order.stream().map(pieces.tokens()::get).toList();
        Files.writeString(draft.tokensFile(), String.join("\n", kept) + "\n");
        boolean hasHead = original.tensors().keySet().containsAll(BertTensorNames.HEAD);
        SafetensorsFile.write(draft.weights(), selections(order, hasHead), options.precision());
        Files.writeString(draft.configFile(), experiment(kept));
        int all =
                (int) pieces.tokens().stream().filter(piece -> !piece.isEmpty()).count();
        return new ImportResult(original.format().toString(), all, kept.size(), hasHead);
    }

    private Set<String> kept(Set<String> met) {
        Set<String> kept = new HashSet<>(met);
        kept.addAll(pieces.specialTokens().all());
        pieces.tokens().stream().filter(TokenizerFile::isSingleCharacter).forEach(kept::add);
        return kept;
    }

    private Map<String, RowSelection> selections(List<Integer> order, boolean hasHead) {
        Map<String, RowSelection> selections = new LinkedHashMap<>();
        Stream<String> names = Stream.of(
                        BertTensorNames.encoderTensors(sizes.layers()),
                        original.tensors().keySet().containsAll(BertTensorNames.POOLER)
                                ? BertTensorNames.POOLER
                                : List.<String>of(),
                        hasHead ? BertTensorNames.HEAD : List.<String>of())
                .flatMap(List::stream);
        names.forEach(name -> {
            StoredTensor tensor = original.tensor(name);
            boolean byPiece = name.equals(BertTensorNames.TOKEN_EMBEDDING) || name.equals(BertTensorNames.HEAD_BIAS);
            selections.put(
                    name,
                    new RowSelection(
                            tensor,
                            byPiece
                                    ? order
                                    : IntStream.range(0, tensor.rows()).boxed().toList()));
        });
        return selections;
    }

    private int heads(OptionalInt given) {
        int found = original.heads().orElse(sizes.hidden() / HEAD_SIZE);
        int wanted = given.orElse(found);
        if (wanted < 1 || sizes.hidden() % wanted != 0) {
            throw new UserError(
                    "States of " + sizes.hidden() + " numbers cannot be shared by " + wanted + " heads",
                    source.toString(),
                    "say how many attention heads the model has: --heads 12");
        }
        return wanted;
    }

    /** Experiments name it in {@code extends}; paths in it are meant from its own folder. */
    private String experiment(List<String> kept) {
        TokenizerFile.SpecialTokens special = pieces.specialTokens();
        // RoBERTa and its kin count positions from behind padding's id; where no config names the kind, its pieces do.
        boolean roberta = original.modelType()
                .map(model -> !model.equals("bert"))
                .orElse(special.equals(TokenizerFile.SpecialTokens.ROBERTA));
        int offset = roberta ? pieces.tokens().indexOf(special.padding()) + 1 : 0;
        return String.join(
                "\n",
                "# An encoder imported from " + source.getFileName() + " (" + original.format() + ").",
                "pretrained: .",
                "model:",
                "  encoder:",
                "    type: bert",
                "    layers: " + sizes.layers(),
                "    hidden: " + sizes.hidden(),
                "    heads: " + heads,
                "    intermediate: " + sizes.intermediate(),
                "    positions: " + sizes.positions(),
                "    position_offset: " + offset,
                "    types: " + sizes.types(),
                "    epsilon: " + original.epsilon(),
                "    begin: " + kept.indexOf(special.begin()) + "  # " + special.begin(),
                "    end: " + kept.indexOf(special.end()) + "  # " + special.end(),
                "    mask: " + kept.indexOf(special.mask()) + "  # " + special.mask(),
                "");
    }
}
