package org.plant4j.corpus.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.codeset.CodeSetReader;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;

class MadeUpMimicTest {

    @TempDir
    private Path directory;

    private static void write(Path directory, long seed) {
        new MadeUpMimic(directory, new MadeUpMimic.Size(400, 300), seed).write(Progress.NONE);
    }

    private static List<Document> read(Path directory) {
        try (Stream<Document> documents = CorpusFormats.openCorpus("mimic3", directory, Map.of(), BadRowHandler.fail())
                .documents()) {
            return documents.toList();
        }
    }

    @Test
    void theReaderOfMimicFindsAllAdmissionsAndCodes() {
        write(directory, 1);
        List<Document> documents = read(directory);
        assertThat(documents).hasSize(400);
        Set<String> codes = documents.stream()
                .flatMap(document -> document.codes().stream())
                .collect(Collectors.toSet());
        assertThat(codes).hasSize(300);
        CodeSet described = CodeSetReader.read(
                List.of(directory.resolve("D_ICD_DIAGNOSES.csv"), directory.resolve("D_ICD_PROCEDURES.csv")));
        assertThat(codes).allMatch(code -> described.describe(code).isPresent());
    }

    @Test
    void splitsShareNoPatientAndCoverAllAdmissions() throws IOException {
        write(directory, 1);
        Map<String, String> subjects = new HashMap<>();
        for (String line : Files.readAllLines(directory.resolve("DIAGNOSES_ICD.csv"))) {
            String[] fields = line.split(",", -1);
            subjects.put(fields[2], fields[1]);
        }
        Map<String, String> splitOfPatient = new HashMap<>();
        int admissions = 0;
        for (String split : List.of("train", "dev", "test")) {
            for (String id : Files.readAllLines(directory.resolve("ids/" + split + "_full_hadm_ids.csv"))) {
                admissions++;
                String patient = subjects.getOrDefault(id, "without diagnoses " + id);
                assertThat(splitOfPatient.merge(patient, split, (first, second) -> second))
                        .isEqualTo(split);
            }
        }
        assertThat(admissions).isEqualTo(400);
        assertThat(splitOfPatient.size()).isLessThan(360); // some have several admissions
    }

    @Test
    void aSeedGivesTheSameBytes() throws IOException {
        write(directory.resolve("a"), 7);
        write(directory.resolve("b"), 7);
        write(directory.resolve("c"), 8);
        assertThat(directory.resolve("a/NOTEEVENTS.csv")).hasSameBinaryContentAs(directory.resolve("b/NOTEEVENTS.csv"));
        assertThat(Files.mismatch(directory.resolve("a/NOTEEVENTS.csv"), directory.resolve("c/NOTEEVENTS.csv")))
                .isNotNegative();
    }

    @Test
    void existingTablesAreNotOverwritten() throws IOException {
        Files.writeString(directory.resolve("NOTEEVENTS.csv.gz"), "real");
        assertThatThrownBy(() -> write(directory, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("NOTEEVENTS.csv");
    }
}
