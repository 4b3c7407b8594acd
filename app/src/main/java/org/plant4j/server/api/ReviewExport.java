package org.plant4j.server.api;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.review.ReviewCorpus;
import org.plant4j.review.ReviewStore;
import org.plant4j.review.worklist.Worklist;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.search.CodeCatalog;

/**
 * The export of all reviews as a ZIP file: the corpus, its code set, and an experiment with the settings of the served
 * model that continues its training on them, or trains a new one if it cannot start from the weights of a run.
 */
public final class ReviewExport {

    private static final String CORPUS = "reviews.jsonl";
    private static final String CODE_SET = "code-set.tsv";
    private static final String EXPERIMENT = "reviews.yaml";

    /** Passages need gold evidence for all codes of a document, but coders rarely mark all of it. */
    private static final String NO_PASSAGES = "preprocessing.passage_tokens=0";

    private final RunDirectory run;
    private final ReviewStore reviews;
    private final Worklist worklist;
    private final CodeCatalog codes;
    private final boolean keepsText;

    public ReviewExport(
            RunDirectory run, ReviewStore reviews, Worklist worklist, CodeCatalog codes, boolean keepsText) {
        this.run = run;
        this.reviews = reviews;
        this.worklist = worklist;
        this.codes = codes;
        this.keepsText = keepsText;
    }

    void requireTexts() {
        if (!keepsText) {
            throw new ApiException(
                    ApiException.CONFLICT,
                    "Texts are not kept, so there is nothing to export",
                    "server",
                    "start the server with --keep-text");
        }
    }

    void write(OutputStream out) throws IOException {
        ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
        zip.putNextEntry(new ZipEntry(EXPERIMENT));
        zip.write(ExperimentFile.toYaml(experiment()).getBytes(StandardCharsets.UTF_8));
        zip.putNextEntry(new ZipEntry(CODE_SET));
        Files.copy(run.codeSet(), zip);
        zip.putNextEntry(new ZipEntry(CORPUS));
        ReviewCorpus.write(reviews, worklist.finalReviews(), this::isTrainable, line -> {
            try {
                zip.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        zip.finish();
    }

    /** Headings that coders assigned nevertheless, with a comment, are left out: a model should not suggest them. */
    private boolean isTrainable(String code) {
        return codes.lookup(code)
                .map(listed -> listed.billable() || listed.inModel())
                .orElse(true);
    }

    /** Paths are relative to the directory of the experiment file, except that of the served run. */
    private Experiment experiment() {
        CorpusConfig corpus = new CorpusConfig("jsonl", CORPUS, List.of(), List.of(), List.of(), Map.of());
        Experiment served = ExperimentFile.read(run.experiment(), List.of(NO_PASSAGES));
        Optional<String> start = served.model().canStartFromRun()
                ? Optional.of(run.path().toAbsolutePath().normalize().toString())
                : Optional.empty();
        return served.withCorpus(run.readManifest().name() + "-reviews", corpus, List.of(CODE_SET))
                .withStart(start);
    }
}
