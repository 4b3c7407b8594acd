package org.plant4j.pretrained;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.plant4j.Evaluation;
import org.plant4j.MetricNames;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.calibration.Calibration;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.Model;
import org.plant4j.pipeline.evaluation.CorpusEvaluation;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.FileTree;
import org.plant4j.support.Sha256;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.PackedWeights;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.Vocabulary;

/**
 * Packs a run: weights as int8, only the files that prediction needs, no paths of this machine. The packed model is then
 * evaluated on dev, so that its card states its own figures. The same run gives the same bytes.
 */
public final class ModelPacker {

    /** Metrics on the card. */
    private static final List<String> METRICS =
            List.of(MetricNames.MAP, MetricNames.MICRO_F1, MetricNames.MACRO_F1, "P@5", "P@8", "P@15", "R@15");

    /** The same for every entry, so that the same run gives the same bytes. */
    private static final LocalDateTime ENTRY_TIME = LocalDateTime.of(2026, 1, 1, 0, 0);

    private final RunDirectory run;
    private final CardText text;
    private final Optional<String> commit;
    private final Compute compute;
    private final Progress progress;

    /** @param commit of the code that trained the run */
    public ModelPacker(RunDirectory run, CardText text, Optional<String> commit, Compute compute, Progress progress) {
        this.run = run;
        this.text = text;
        this.commit = commit;
        this.compute = compute;
        this.progress = progress;
    }

    /**
     * Writes the packed model; its name is that of the file.
     *
     * @param bits of each weight of a matrix, 4 to 8; fewer make a smaller file
     * @param maxLoss the largest loss of dev MAP; if it is larger, nothing is written
     */
    public ModelCard pack(Path file, int bits, double maxLoss) {
        RunManifest manifest = run.readManifest();
        if (!manifest.isDone()) {
            throw new UserError(
                    "The run is not finished", run.path().toString(), "finish it with `plant run`, then pack it");
        }
        try {
            Path temporary = Files.createTempDirectory("plant-pack");
            try {
                String name = PackedModel.name(file);
                RunDirectory packed = new RunDirectory(temporary.resolve(name));
                Files.createDirectories(packed.path());
                packed.create(manifest.portable(name), directory -> write(directory, bits));
                ModelCard card = addCard(packed, maxLoss);
                AtomicFile.write(file, draft -> zip(packed, draft));
                return card;
            } finally {
                FileTree.delete(temporary);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(RunDirectory packed, int bits) {
        for (Path source : List.of(
                run.model(),
                run.vocabulary(),
                run.labels(),
                run.tokenizer(),
                run.thresholds(),
                run.calibration(),
                run.domain(),
                run.contextProfile())) {
            if (run.has(source)) {
                copy(source, packed.path().resolve(run.path().relativize(source)));
            }
        }
        LabelIndex labels = LabelIndex.read(run.labels());
        CodeSet codes = text.descriptions() ? CodeSet.read(run.codeSet()) : CodeSet.empty();
        codes.restrictedTo(labels.codes()).write(packed.codeSet());
        String yaml = ExperimentFile.toPortableYaml(experiment());
        AtomicFile.write(packed.experiment(), draft -> Files.writeString(draft, yaml));
        int tokens = Vocabulary.read(run.vocabulary()).size();
        try (Model model = run.modelConfig().load(run.path(), tokens, labels, compute)) {
            model.save(packed.path()); // exactly the files that the model reads
        }
        for (Path saved : FileTree.files(packed.path())) {
            if (saved.endsWith(LabelNetwork.WEIGHTS)) {
                PackedWeights.pack(saved, bits);
            }
        }
    }

    private Experiment experiment() {
        return ExperimentFile.read(run.experiment(), List.of());
    }

    private static void copy(Path from, Path to) {
        AtomicFile.write(to, draft -> Files.copy(from, draft));
    }

    private ModelCard addCard(RunDirectory packed, double maxLoss) {
        Optional<Evaluation> before = run.has(run.metrics(PreparedCorpus.DEV))
                ? Optional.of(Evaluation.read(run.metrics(PreparedCorpus.DEV)))
                : Optional.empty();
        Optional<Evaluation> after = before.map(evaluation -> evaluate(packed));
        before.ifPresent(evaluation -> checkLoss(evaluation, after.orElseThrow(), maxLoss));
        ModelCard card = card(packed, before, after);
        packed.add(added -> {
            after.ifPresent(evaluation -> evaluation.write(added.metrics(PreparedCorpus.DEV)));
            added.write(added.card(), card);
        });
        return card;
    }

    private Evaluation evaluate(RunDirectory packed) {
        return CorpusEvaluation.of(
                        packed,
                        CorpusFormats.openSplits(experiment().corpus(), BadRowHandler.fail())
                                .dev(),
                        compute,
                        progress)
                .evaluation();
    }

    private void checkLoss(Evaluation before, Evaluation after, double maxLoss) {
        double loss = before.metric(MetricNames.MAP) - after.metric(MetricNames.MAP);
        if (loss > maxLoss) {
            throw new UserError(
                    String.format(
                            Locale.ROOT,
                            "Packing lowers dev MAP from %.4f to %.4f, by more than %s",
                            before.metric(MetricNames.MAP),
                            after.metric(MetricNames.MAP),
                            maxLoss),
                    run.path().toString(),
                    "accept a larger --max-loss, or train a model with smaller weights");
        }
    }

    private ModelCard card(RunDirectory packed, Optional<Evaluation> before, Optional<Evaluation> after) {
        RunManifest manifest = packed.readManifest();
        return new ModelCard(
                ModelCard.FORMAT,
                manifest.name(),
                RunDirectory.JSON.valueToTree(experiment().model()).path("type").asText(),
                text,
                manifest.sizes(),
                after.map(evaluation -> quality(evaluation, before.orElseThrow().metric(MetricNames.MAP))),
                run.has(run.calibration()) ? calibration(run.readCalibration()) : Optional.empty(),
                new ModelCard.Provenance(
                        manifest.command(),
                        commit,
                        manifest.seed(),
                        manifest.versions(),
                        Optional.ofNullable(manifest.inputs().get(RunManifest.CORPUS)),
                        weights(run.readManifest())));
    }

    /** The checksum of the weights before packing; of an ensemble or a stack that of its members' checksums. */
    private static Optional<String> weights(RunManifest manifest) {
        List<String> checksums = manifest.files().files().entrySet().stream()
                .filter(file -> Path.of(file.getKey()).endsWith(LabelNetwork.WEIGHTS))
                .map(Map.Entry::getValue)
                .toList();
        return checksums.size() < 2
                ? checksums.stream().findFirst()
                : Optional.of(Sha256.of(String.join("\n", checksums)));
    }

    private static ModelCard.Quality quality(Evaluation evaluation, double before) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        METRICS.forEach(name -> {
            if (Double.isFinite(evaluation.metric(name))) {
                metrics.put(name, evaluation.metric(name));
            }
        });
        return new ModelCard.Quality(
                evaluation.documents(),
                metrics,
                Optional.ofNullable(evaluation.intervals().get(MetricNames.MAP)),
                before);
    }

    private static Optional<ModelCard.CalibrationSummary> calibration(Calibration calibration) {
        return calibration.fitted()
                ? Optional.of(new ModelCard.CalibrationSummary(
                        calibration.calibrator().method(),
                        calibration.before().expectedCalibrationError(),
                        calibration.after().expectedCalibrationError(),
                        calibration.metrics()))
                : Optional.empty();
    }

    /** The card first, so that it can be read alone. */
    private static void zip(RunDirectory packed, Path file) throws IOException {
        List<Path> files = new ArrayList<>(List.of(packed.card(), packed.manifest()));
        FileTree.files(packed.path()).stream()
                .filter(each -> !files.contains(each))
                .forEach(files::add);
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.setLevel(Deflater.BEST_COMPRESSION);
            for (Path each : files) {
                ZipEntry entry =
                        new ZipEntry(packed.path().relativize(each).toString().replace('\\', '/'));
                entry.setTimeLocal(ENTRY_TIME);
                zip.putNextEntry(entry);
                Files.copy(each, zip);
                zip.closeEntry();
            }
        }
    }
}
