package org.plant4j.corpus.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.plant4j.Span;

class TemplateTest {

    private static String write(String template, long seed) {
        SummaryBuilder text = new SummaryBuilder(new Random(seed), 0);
        Template.parse(template).write(text, new Random(seed), slot -> text.append("(" + slot + ")"));
        return text.toString();
    }

    private static Set<String> allOf(String template) {
        Set<String> seen = new TreeSet<>();
        for (long seed = 0; seed < 200; seed++) {
            seen.add(write(template, seed * 7919));
        }
        return seen;
    }

    @Test
    void barsSeparateAlternativesAtTheTopLevelAndInBraces() {
        assertThat(allOf("A {b|c{d|}} | E")).containsExactly("A b", "A c", "A cd", "E");
    }

    @Test
    void aRangeIsARandomNumberWithItsDecimals() {
        assertThat(allOf("{8..11}")).containsExactly("10", "11", "8", "9");
        assertThat(allOf("{0.9..1.1}")).containsExactly("0.9", "1.0", "1.1");
    }

    @Test
    void theWriterFillsASlotAndALoneBracketIsText() {
        assertThat(write("K <5 for <age> days", 1)).isEqualTo("K <5 for (age) days");
    }

    @Test
    void markedTextBecomesASpan() {
        SummaryBuilder text = new SummaryBuilder(new Random(1), 0);
        Template template = Template.parse("Found [low Na] and gave [salt {1..1}].");
        text.writeMention("E87.1", () -> template.write(text, new Random(1), slot -> {}));
        assertThat(text).hasToString("Found low Na and gave salt 1.");
        assertThat(text.evidence())
                .singleElement()
                .satisfies(evidence -> assertThat(evidence.spans()).containsExactly(new Span(6, 12), new Span(22, 28)));
    }

    @Test
    void anOpenBraceIsAnError() {
        assertThatIllegalArgumentException().isThrownBy(() -> Template.parse("a {b|c"));
        assertThatIllegalArgumentException().isThrownBy(() -> Template.parse("a [b"));
    }

    @Test
    void sentencesStartWithACapitalUnlessTheWordHasOneInside() {
        SummaryBuilder text = new SummaryBuilder(new Random(1), 0);
        text.append("stable");
        text.endSentence();
        text.append("pAF");
        text.endSentence();
        text.endSentence();
        assertThat(text).hasToString("Stable. pAF. ");
    }

    @Test
    void typingErrorsChangeAWordButNotItsEnds() {
        SummaryBuilder text = new SummaryBuilder(new Random(3), 1);
        text.append("Has hypertension");
        assertThat(text.toString()).isNotEqualTo("Has hypertension").matches(Pattern.compile("Has h[a-z]{9,12}n"));
    }
}
