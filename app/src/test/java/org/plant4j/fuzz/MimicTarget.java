package org.plant4j.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.plant4j.Document;

/** The readers of the tables of MIMIC-III and MIMIC-IV. */
final class MimicTarget implements FuzzTarget {

    /** The names of files and columns of one release. */
    private record Release(
            String format,
            String notes,
            List<String> noteColumns,
            String diagnoses,
            String procedures,
            List<String> codeColumns,
            List<String> diagnosisCodes,
            List<String> procedureCodes,
            Map<String, String> options) {}

    private static final Release MIMIC3 = new Release(
            "mimic3",
            "NOTEEVENTS.csv",
            List.of("ROW_ID", "HADM_ID", "CATEGORY", "DESCRIPTION", "TEXT", "CGID"),
            "DIAGNOSES_ICD.csv",
            "PROCEDURES_ICD.csv",
            List.of("ROW_ID", "HADM_ID", "ICD9_CODE", "SEQ_NUM"),
            List.of("428.0", "E823.3", "V10.01", "042"),
            List.of("38.93", "66"),
            Map.of());

    private static final Release MIMIC4 = new Release(
            "mimic4",
            "note/discharge.csv",
            List.of("note_id", "hadm_id", "note_type", "note_seq", "text", "charttime"),
            "hosp/diagnoses_icd.csv",
            "hosp/procedures_icd.csv",
            List.of("subject_id", "hadm_id", "icd_code", "icd_version"),
            List.of("I50.20", "I10", "E11.9"),
            List.of("02HV33Z", "BW03ZZZ"),
            Map.of("min_documents", "1"));

    private final Release release;
    private final Path directory;

    private MimicTarget(Release release, Path directory) {
        this.release = release;
        this.directory = directory;
    }

    static MimicTarget version3(Path directory) {
        return new MimicTarget(MIMIC3, directory);
    }

    static MimicTarget version4(Path directory) {
        return new MimicTarget(MIMIC4, directory);
    }

    @Override
    public String name() {
        return release.format();
    }

    @Override
    public Outcome test(FuzzInput input) {
        CorpusFiles files = new CorpusFiles();
        List<Document> documents = write(files, input);
        if (input.chance(0.4)) {
            if (input.chance(0.5)) {
                files.compress(input.pick(files.names()), input);
            }
            SilentDifference.check(new HashSet<>(documents), new HashSet<>(FuzzInput.accepted(() -> read(files))));
            return Outcome.SAME;
        }
        String name = input.pick(files.names());
        input.step("in " + name);
        files.put(name, ByteMutator.mutate(files.get(name), input));
        checkPlausible(read(files));
        return Outcome.ACCEPTED;
    }

    private List<Document> read(CorpusFiles files) {
        return CorpusFiles.read(release.format(), files.write(directory), release.options());
    }

    /** Damage may change a text or a code, but ids stay unique, and no document is without codes. */
    private static void checkPlausible(List<Document> documents) {
        Set<String> ids = new HashSet<>();
        for (Document document : documents) {
            if (!ids.add(document.id()) || document.codes().isEmpty()) {
                throw new SilentDifference("document " + document.id() + " with codes " + document.codes());
            }
        }
    }

    private List<Document> write(CorpusFiles files, FuzzInput input) {
        List<Document> documents = new ArrayList<>();
        List<List<String>> notes = new ArrayList<>();
        List<List<String>> diagnoses = new ArrayList<>();
        List<List<String>> procedures = new ArrayList<>();
        for (int admission = 100; admission < 100 + input.between(1, 4); admission++) {
            String id = String.valueOf(admission);
            String summary = OddText.valid(input, 20);
            String addendum = OddText.valid(input, 5);
            boolean extended = input.chance(0.3);
            notes.add(note(id + input.pick("", ".0"), false, summary));
            if (extended) {
                notes.add(note(id, true, addendum));
            }
            Set<String> codes = new TreeSet<>();
            for (int n = input.between(1, 3); n > 0; n--) {
                add(release.diagnosisCodes(), id, diagnoses, codes, input);
                if (input.chance(0.4)) {
                    add(release.procedureCodes(), id, procedures, codes, input);
                }
            }
            documents.add(new Document(id, extended ? summary + "\n" + addendum : summary, codes));
        }
        List.of(notes, diagnoses, procedures).forEach(rows -> Collections.shuffle(rows, input.random()));
        files.put(release.notes(), CsvWriter.write(release.noteColumns(), notes, input));
        files.put(release.diagnoses(), CsvWriter.write(release.codeColumns(), diagnoses, input));
        files.put(release.procedures(), CsvWriter.write(release.codeColumns(), procedures, input));
        return documents;
    }

    private List<String> note(String admission, boolean addendum, String text) {
        return release.equals(MIMIC3)
                ? List.of("1", admission, "Discharge summary", addendum ? "Addendum" : "Report", text, "")
                : List.of("n" + admission, admission, addendum ? "AD" : "DS", "1", text, "2180-05-07");
    }

    private void add(List<String> codes, String id, List<List<String>> rows, Set<String> gold, FuzzInput input) {
        String code = input.pick(codes);
        gold.add(code);
        String written = code.replace(".", "") + input.pick("", "  ");
        rows.add(release.equals(MIMIC3) ? List.of("7", id, written, "1") : List.of("7", id, written, "10"));
    }
}
