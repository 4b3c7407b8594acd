package org.plant4j.edit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.codeset.TabularEntry;
import org.plant4j.corpus.codeset.TabularList;

/** Hand-made sets of codes with the edits that they should have, on a small excerpt of the tabular list. */
class CodeEditsTest {

    private static final TabularList EDITION_2020 = read("tabular-2020.xml");
    private static final TabularList EDITION_2021 = read("tabular-2021.xml");

    private final CodeEdits edits = new CodeEdits(new CodeRules(codeSet(), List.of(EDITION_2021, EDITION_2020)));

    private static InputStream resource(String name) {
        return Objects.requireNonNull(CodeEditsTest.class.getResourceAsStream(name), name);
    }

    private static TabularList read(String name) {
        try (InputStreamReader text = new InputStreamReader(resource(name), StandardCharsets.UTF_8)) {
            return TabularList.read(text, name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CodeSet codeSet() {
        List<CodeSet.Entry> entries = new ArrayList<>();
        for (TabularEntry entry : EDITION_2021.entries()) {
            Optional<String> parent = entry.parent().map(TabularEntry::code).filter(code -> !code.isEmpty());
            entries.add(new CodeSet.Entry(entry.code(), entry.description(), parent, entry.leaf()));
        }
        return CodeSet.of(entries);
    }

    static List<String> table() {
        try (InputStream in = resource("edits.tsv")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.split(" ", -1));
    }

    private static String describe(CodeEdit edit) {
        return edit.kind().name().toLowerCase(Locale.ROOT).replace('_', '-') + ":" + String.join("+", edit.codes());
    }

    @ParameterizedTest
    @MethodSource("table")
    void aSetOfCodesHasTheExpectedEdits(String row) {
        String[] cells = row.split("\t", -1);
        Optional<LocalDate> date = cells[2].isEmpty() ? Optional.empty() : Optional.of(LocalDate.parse(cells[2]));
        List<CodeEdit> found = edits.check(words(cells[0]), Set.copyOf(words(cells[1])), date);
        assertThat(found.stream().map(CodeEditsTest::describe)).containsExactlyElementsOf(words(cells[3]));
        assertThat(found)
                .allMatch(edit -> edit.reason().endsWith(".") && edit.reason().length() > 20)
                .allMatch(edit -> !edit.resolutions().isEmpty());
    }

    @Test
    void resolutionsNameTheCodesToUse() {
        assertThat(edits.check(List.of("K80.0"), Set.of(), Optional.empty())
                        .get(0)
                        .resolutions())
                .containsExactly(
                        CodeEdit.Resolution.replace("K80.0", "K80.00"),
                        CodeEdit.Resolution.replace("K80.0", "K80.01"),
                        CodeEdit.Resolution.remove("K80.0"));
        assertThat(edits.check(List.of("W19"), Set.of(), Optional.empty())
                        .get(0)
                        .resolutions())
                .contains(CodeEdit.Resolution.replace("W19", "W19.XXXA"));
        assertThat(edits.check(List.of("M17.10"), Set.of(), Optional.empty())
                        .get(0)
                        .resolutions())
                .containsExactly(
                        CodeEdit.Resolution.replace("M17.10", "M17.11"),
                        CodeEdit.Resolution.replace("M17.10", "M17.12"));
        assertThat(edits.check(List.of("F02.80", "G30.9"), Set.of(), Optional.empty())
                        .get(0)
                        .resolutions())
                .containsExactly(CodeEdit.Resolution.moveBefore("G30.9", "F02.80"));
        assertThat(edits.check(List.of("I50.9"), Set.of("I50.22"), Optional.empty())
                        .get(0)
                        .resolutions())
                .containsExactly(CodeEdit.Resolution.replace("I50.9", "I50.22"));
    }

    @Test
    void aMissingCodeCanBeAddedAndASuggestedOneComesFirst() {
        CodeEdit ckd = edits.check(List.of("E11.22"), Set.of("N18.4", "I50.9"), Optional.empty())
                .get(0);
        assertThat(ckd.reason())
                .isEqualTo("With E11.22, use additional code to identify the stage of chronic kidney disease"
                        + " (N18.1-N18.6).");
        assertThat(ckd.resolutions())
                .containsExactly(
                        CodeEdit.Resolution.add("N18.4"),
                        CodeEdit.Resolution.add("N18.30"),
                        CodeEdit.Resolution.add("N18.31"));
        assertThat(edits.check(List.of("N39.0"), Set.of(), Optional.empty())
                        .get(0)
                        .resolutions())
                .containsExactly(CodeEdit.Resolution.add("B96.20"));
    }

    @Test
    void aManifestationGivesWayToAnotherCodeOrItsCause() {
        CodeEdit alone =
                edits.check(List.of("E08.9"), Set.of(), Optional.empty()).get(0);
        assertThat(alone.reason())
                .isEqualTo("E08.9 cannot be the principal diagnosis. Code first the underlying condition, such as:"
                        + " congenital rubella (P35.0); cystic fibrosis (E84.-).");
        assertThat(alone.resolutions())
                .containsExactly(
                        CodeEdit.Resolution.add("P35.0"),
                        CodeEdit.Resolution.add("E84.0"),
                        CodeEdit.Resolution.add("E84.9"));
        assertThat(edits.check(List.of("E08.9", "J45.909"), Set.of("E84.0"), Optional.empty())
                        .get(0)
                        .resolutions())
                .startsWith(CodeEdit.Resolution.moveBefore("J45.909", "E08.9"), CodeEdit.Resolution.add("E84.0"));
    }

    @Test
    void onlyCodesThatCannotBeBilledBlock() {
        assertThat(edits.check(List.of("K80.0", "W19", "I10", "I11.0"), Set.of(), Optional.empty()))
                .filteredOn(CodeEdit::blocks)
                .extracting(CodeEdit::kind)
                .containsExactly(CodeEdit.Kind.NOT_BILLABLE, CodeEdit.Kind.SEVENTH_CHARACTER);
    }

    @Test
    void aDateOutsideTheEditionsIsCheckedAgainstTheNearestOne() {
        List<CodeEdit> later = edits.check(List.of("N18.3"), Set.of(), Optional.of(LocalDate.parse("2031-01-01")));
        assertThat(later).extracting(CodeEditsTest::describe).containsExactly("not-billable:N18.3", "no-edition:N18.3");
        assertThat(later.get(1).reason()).contains("2031-01-01", "2021 edition");
        List<CodeEdit> earlier = edits.check(List.of("N18.30"), Set.of(), Optional.of(LocalDate.parse("2011-01-01")));
        assertThat(earlier)
                .extracting(CodeEditsTest::describe)
                .containsExactly("not-valid-on-date:N18.30", "no-edition:N18.30");
        assertThat(earlier).noneMatch(CodeEdit::blocks);
    }

    @Test
    void withoutATabularListTheCodeSetAloneIsChecked() {
        CodeEdits plain = new CodeEdits(new CodeRules(codeSet(), List.of()));
        assertThat(plain.check(List.of("K80.0", "M17.10", "E11", "E11.9"), Set.of(), Optional.empty()))
                .extracting(CodeEditsTest::describe)
                .containsExactly(
                        "not-billable:K80.0", "not-billable:E11", "parent-and-child:E11+E11.9", "laterality:M17.10");
    }

    @Test
    void notesReferToCodesRangesAndSubdivisions() {
        CodeReferences references = CodeReferences.ofNotes(
                List.of("a (I11.-), b (O10-O11, O13-O16)", "c (T36-T50 with fifth character 5)"));
        assertThat(references.among(new AssignedCodes(
                        List.of("I10", "I11", "I11.0", "I12", "O10.01", "O11", "O12", "O16.9", "O17", "T36.0X5A"))))
                .containsExactlyInAnyOrder("I11", "I11.0", "O10.01", "O11", "O16.9");
    }
}
