package org.plant4j.corpus.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.plant4j.corpus.demo.Condition.Field;

class LexiconTest {

    private final Lexicon lexicon = Lexicon.bundled();

    @Test
    void everyConditionHasAtLeastFourNamesAndAHint() {
        assertThat(lexicon.conditions()).allSatisfy(condition -> {
            assertThat(condition.names().size()).as(condition.code()).isGreaterThanOrEqualTo(4);
            assertThat(condition.has(Field.HINT)).as(condition.code()).isTrue();
        });
    }

    @Test
    void everyHintMarksItsEvidence() {
        for (Condition condition : lexicon.conditions()) {
            Template hint = condition.phrase(Field.HINT).orElseThrow();
            for (int i = 0; i < hint.size(); i++) {
                SummaryBuilder text = new SummaryBuilder(new Random(1), 0);
                int alternative = i;
                text.writeMention(
                        condition.code(),
                        () -> hint.write(alternative, text, new Random(1), slot -> text.append("his")));
                assertThat(text.hasEvidenceFor(condition.code()))
                        .as(condition.code())
                        .isTrue();
            }
        }
    }

    @Test
    void denialsAndFamilyHistoryMarkNoEvidence() {
        for (Condition condition : lexicon.conditions()) {
            for (Field field : List.of(Field.DENY, Field.FAMILY, Field.PAST, Field.MED, Field.COMPLAINT)) {
                condition.phrase(field).ifPresent(template -> {
                    SummaryBuilder text = new SummaryBuilder(new Random(1), 0);
                    for (int i = 0; i < template.size(); i++) {
                        int alternative = i;
                        text.writeMention(
                                condition.code(),
                                () -> template.write(alternative, text, new Random(1), slot -> text.append("his")));
                    }
                    assertThat(text.evidence())
                            .as(condition.code() + " " + field)
                            .isEmpty();
                });
            }
        }
    }

    @Test
    void theCodeSetContainsEveryCodeAndEveryParent() {
        List<List<String>> table = DemoCorpus.codeSetTsv()
                .lines()
                .map(line -> List.of(line.split("\t", -1)))
                .toList();
        assertThat(table.get(0)).containsExactly("code", "description", "parent", "valid");
        List<List<String>> rows = table.subList(1, table.size());
        List<String> codes = rows.stream().map(row -> row.get(0)).toList();
        List<String> valid = rows.stream()
                .filter(row -> row.get(3).equals("1"))
                .map(row -> row.get(0))
                .toList();
        assertThat(valid)
                .containsAll(lexicon.conditions().stream().map(Condition::code).toList());
        assertThat(rows).allSatisfy(row -> {
            assertThat(row).hasSize(4);
            assertThat(row.get(1)).isNotBlank();
            assertThat(row.get(2))
                    .satisfiesAnyOf(
                            p -> assertThat(p).isEmpty(), p -> assertThat(p).isIn(codes));
        });
        assertThat(rows)
                .contains(List.of("I50.23", "Acute on chronic systolic (congestive) heart failure", "I50.2", "1"));
    }
}
