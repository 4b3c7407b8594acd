package org.plant4j.fuzz;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.codeset.CodeSetReader;

/** The reader of code sets and official code lists. */
final class CodeSetTarget implements FuzzTarget {

    private static final List<String> CODES = List.of(
            "I10",
            "I50",
            "I50.2",
            "I50.20",
            "E11.9",
            "8140/3",
            "8140/34",
            "8000/6/H",
            "428.0",
            "38.93",
            "BW03ZZZ",
            "B03-");

    private final Path directory;

    CodeSetTarget(Path directory) {
        this.directory = directory;
    }

    @Override
    public String name() {
        return "code-set";
    }

    @Override
    public Outcome test(FuzzInput input) {
        boolean own = input.chance(0.6);
        String text = own ? ownFormat(input) : officialList(input);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (input.chance(0.6)) {
            bytes = ByteMutator.mutate(bytes, input);
        }
        input.step("read " + new String(bytes, StandardCharsets.UTF_8));
        Path file = new CorpusFiles().put("codes.tsv", bytes).write(directory).resolve("codes.tsv");
        CodeSet codes = CodeSetReader.read(file);
        codes.entries().forEach(entry -> {
            codes.ancestors(entry.code());
            codes.describe(entry.code() + "1");
        });
        Path written = directory.resolve("written.tsv");
        codes.write(written);
        SilentDifference.check(entries(codes), entries(FuzzInput.accepted(() -> CodeSet.read(written))));
        return Outcome.ACCEPTED;
    }

    /** Runs of spaces in descriptions count as one. */
    private static List<CodeSet.Entry> entries(CodeSet codes) {
        return codes.entries().stream()
                .map(entry -> new CodeSet.Entry(
                        entry.code(), entry.description().replaceAll("\\s+", " "), entry.parent(), entry.valid()))
                .toList();
    }

    private static String ownFormat(FuzzInput input) {
        List<String> rows = new ArrayList<>(List.of("code\tdescription\tparent\tvalid"));
        for (int n = input.below(8); n > 0; n--) {
            String parent = input.chance(0.4) ? "" : input.pick(CODES);
            rows.add(code(input) + "\t" + description(input) + "\t" + parent + "\t" + input.pick("0", "1"));
        }
        return AnnotatedTexts.lines(rows, input);
    }

    private static String officialList(FuzzInput input) {
        List<String> rows = new ArrayList<>(List.of(input.pick(
                "icd10cm_code\ticd10cm_long_description\tvalid_billing_code",
                "icd10pcs_code\ticd10pcs_long_description\tvalid_billing_code",
                "codigo\tdescriptor completo\tx",
                "Code\tLabel\tStruct")));
        for (int n = input.below(8); n > 0; n--) {
            rows.add(code(input).replace(".", "") + "\t" + description(input) + "\t" + input.pick("0", "1", "title"));
        }
        return AnnotatedTexts.lines(rows, input);
    }

    private static String code(FuzzInput input) {
        return input.chance(0.01)
                ? input.pick("A", "/H", ".1", "9").repeat(input.between(1, 50_000))
                : input.pick(CODES);
    }

    private static String description(FuzzInput input) {
        return OddText.valid(input, 6).replaceAll("[\\s\"]+", " ").strip();
    }
}
