package org.plant4j.encoder.importer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
import org.plant4j.Precision;
import org.plant4j.UserError;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.importer.SafetensorsFile.RowSelection;

/**
 * Imports a published encoder into an {@link EncoderDirectory}: its tokenizer, its tokens in our order, its weights under
 * our names, and the section of an experiment with its sizes. Tensors are copied row by row and never held in memory whole.
 */
public final class EncoderImporter {

    /** Size of the attention heads of Google's BERT models, whose files do not state their number. */
    private static final int HEAD_SIZE = 64;

    /**
     * Import options.
     *
     * @param heads number of attention heads, for sources that do not state it
     * @param observedTokens given the tokenizer file, the tokens of a corpus: then only these, special tokens and single
     *     characters are kept; empty keeps all
     */
    public record Options(
            Precision precision, OptionalInt heads, Optional<Function<Path, Set<String>>> observedTokens) {}

    /** The format of the source, the number of its tokens and how many were kept. */
    public record ImportResult(String format, int sourceTokens, int keptTokens, boolean hasLanguageModelHead) {}

    private final Path source;
    private final SourceEncoder encoder;
    private final BertSizes sizes;
    private final TokenizerFile tokenizer;
    private final int heads;

    private EncoderImporter(Path source, ModelArchive archive, OptionalInt heads) {
        this.source = source;
        this.encoder = SourceEncoder.open(archive);
        this.sizes = BertSizes.of(encoder.tensors(), source.toString());
        this.tokenizer = TokenizerConverter.open(archive);
        this.heads = heads(heads);
        if (tokenizer.tokens().size() > sizes.vocabularySize()) {
            throw new UserError(
                    "The tokenizer has " + tokenizer.tokens().size() + " tokens, but the model only "
                            + sizes.vocabularySize(),
                    source.toString(),
                    "use the tokenizer that belongs to the model");
        }
    }

    /** Writes the directory; leaves nothing behind on failure. */
    public static ImportResult run(Path source, Path target, Options options) {
        if (Files.exists(target)) {
            throw new UserError(
                    "The directory already exists", target.toString(), "choose another one, or remove this one first");
        }
        // Beside the target: the system's temporary directory may be too small, and a move between disks is not atomic.
        try (ModelArchive archive =
                ModelArchive.open(source, target.resolveSibling(target.getFileName() + ".unpacked"))) {
            EncoderImporter importer = new EncoderImporter(source, archive, options.heads());
            Path draft = ModelArchive.createEmptyDirectory(target.resolveSibling(target.getFileName() + ".draft"));
            try {
                ImportResult imported = importer.write(new EncoderDirectory(draft), options);
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
        tokenizer.write(draft.tokenizer());
        List<Integer> order = tokenizer.selectIds(options.observedTokens()
                .map(observed -> keptTokens(observed.apply(draft.tokenizer())))
                .orElseGet(() -> new HashSet<>(tokenizer.tokens())));
        List<String> kept = order.stream().map(tokenizer.tokens()::get).toList();
        Files.writeString(draft.tokensFile(), String.join("\n", kept) + "\n");
        boolean hasHead = encoder.tensors().keySet().containsAll(BertTensorNames.HEAD);
        SafetensorsFile.write(draft.weights(), selections(order, hasHead), options.precision());
        Files.writeString(draft.configFile(), experiment(kept));
        draft.writeChecksums();
        int all = (int)
                tokenizer.tokens().stream().filter(token -> !token.isEmpty()).count();
        return new ImportResult(encoder.format().toString(), all, kept.size(), hasHead);
    }

    private Set<String> keptTokens(Set<String> observed) {
        Set<String> kept = new HashSet<>(observed);
        kept.addAll(tokenizer.specialTokens().all());
        tokenizer.tokens().stream().filter(TokenizerFile::isSingleCharacter).forEach(kept::add);
        return kept;
    }

    private Map<String, RowSelection> selections(List<Integer> order, boolean hasHead) {
        Map<String, RowSelection> selections = new LinkedHashMap<>();
        Stream<String> names = Stream.of(
                        BertTensorNames.encoderTensors(sizes.layers()),
                        ifPresent(BertTensorNames.globalAttentionTensors(sizes.layers())),
                        ifPresent(BertTensorNames.POOLER),
                        hasHead ? BertTensorNames.HEAD : List.<String>of())
                .flatMap(List::stream);
        names.forEach(name -> {
            StoredTensor tensor = encoder.tensor(name);
            boolean perToken = name.equals(BertTensorNames.TOKEN_EMBEDDING) || name.equals(BertTensorNames.HEAD_BIAS);
            selections.put(
                    name,
                    new RowSelection(
                            tensor,
                            perToken
                                    ? order
                                    : IntStream.range(0, tensor.rows()).boxed().toList()));
        });
        return selections;
    }

    private List<String> ifPresent(List<String> names) {
        return encoder.tensors().keySet().containsAll(names) ? names : List.of();
    }

    private int heads(OptionalInt given) {
        int found = encoder.heads().orElse(sizes.hidden() / HEAD_SIZE);
        int wanted = given.orElse(found);
        if (wanted < 1 || sizes.hidden() % wanted != 0) {
            throw new UserError(
                    "A hidden size of " + sizes.hidden() + " is not divisible by " + wanted + " heads",
                    source.toString(),
                    "state the number of attention heads of the model, for example --heads 12");
        }
        return wanted;
    }

    /** The content of {@code encoder.yaml}, which experiments extend; its paths are relative to its own directory. */
    private String experiment(List<String> kept) {
        TokenizerFile.SpecialTokens special = tokenizer.specialTokens();
        // RoBERTa and XLM-R number positions from the padding id plus one. Without a config, the special tokens show
        // the type.
        boolean roberta = encoder.modelType()
                .map(model -> !model.equals("bert"))
                .orElse(special.equals(TokenizerFile.SpecialTokens.ROBERTA));
        int offset = roberta ? tokenizer.tokens().indexOf(special.padding()) + 1 : 0;
        List<String> lines = new ArrayList<>(List.of(
                "# Encoder imported from " + source.getFileName() + " (" + encoder.format() + ").",
                "pretrained_encoder: .",
                "model:",
                "  encoder:",
                "    type: " + (encoder.isLongformer() ? SourceEncoder.LONGFORMER : "bert"),
                "    layers: " + sizes.layers(),
                "    hidden: " + sizes.hidden(),
                "    heads: " + heads,
                "    intermediate: " + sizes.intermediate(),
                "    positions: " + sizes.positions(),
                "    position_offset: " + offset,
                "    types: " + sizes.types(),
                "    epsilon: " + encoder.epsilon(),
                "    begin: " + kept.indexOf(special.begin()) + "  # " + special.begin(),
                "    end: " + kept.indexOf(special.end()) + "  # " + special.end(),
                "    mask: " + kept.indexOf(special.mask()) + "  # " + special.mask()));
        encoder.attentionWindow().ifPresent(window -> lines.add("    attention_window: " + window));
        return String.join("\n", lines) + "\n";
    }
}
