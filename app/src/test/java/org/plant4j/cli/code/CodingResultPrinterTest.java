package org.plant4j.cli.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.plant4j.Band;
import org.plant4j.CodingResult;
import org.plant4j.DomainCheck;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.Suggestion;
import org.plant4j.Trait;
import org.plant4j.cli.option.CommonOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class CodingResultPrinterTest {

    private static final Suggestion SEPSIS = suggestion(
            "A41.9",
            new Evidence(new Span(0, 6), "Sepsis", 0.6).withTraits(Set.of(Trait.NEGATED)),
            new Evidence(new Span(40, 46), "SEPSIS", 0.1).withTraits(Set.of(Trait.FAMILY, Trait.NEGATED)));
    private static final Suggestion STROKE =
            suggestion("I63.9", new Evidence(new Span(20, 26), "stroke", 0.5).withTraits(Set.of(Trait.HISTORICAL)));

    @Command
    private static final class Options {
        @Mixin
        private final CommonOptions common = new CommonOptions();
    }

    private static Suggestion suggestion(String code, Evidence... evidence) {
        return new Suggestion(code, "", 0.25, 0.5, Band.REVIEW, true, List.of(evidence));
    }

    private static String print(CodingResult result, boolean json) {
        Options options = new Options();
        StringWriter out = new StringWriter();
        new CommandLine(options)
                .setOut(new PrintWriter(out, true))
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
        new CodingResultPrinter(options.common, json, false).print("one", result);
        return out.toString();
    }

    @Test
    void tableShowsTraitsAndMarksCodesWhoseEvidenceIsAllContradicted() {
        assertThat(print(new CodingResult(DomainCheck.IN_DOMAIN, List.of(SEPSIS, STROKE)), false))
                .contains("sepsis (negated) · sepsis (negated, family history)", "stroke (history of)")
                .contains("\n?  A41.9 ", "\n✓  I63.9 ")
                .contains("? needs review: all evidence is negated or about relatives.")
                .contains("✓ reaches the threshold that was tuned on the dev split.")
                .doesNotContain("resemble");
    }

    @Test
    void tableOfAForeignTextStartsWithANotice() {
        assertThat(print(new CodingResult(DomainCheck.outOfDomain("It is too short."), List.of(STROKE)), false))
                .startsWith("This text does not resemble the documents that the model was trained on. It is too short."
                        + " Codes are for review only.\n");
    }

    @Test
    void jsonHasTheDomainCheckAndTraits() {
        assertThat(print(new CodingResult(DomainCheck.outOfDomain("It is too short."), List.of(SEPSIS)), true))
                .containsSubsequence(
                        "\"id\" : \"one\"",
                        "\"inDomain\" : false",
                        "\"reason\" : \"It is too short.\"",
                        "\"codes\" : [",
                        "\"traits\" : [ \"negated\" ]",
                        "\"traits\" : [ \"negated\", \"family\" ]");
        assertThat(print(new CodingResult(DomainCheck.IN_DOMAIN, List.of()), true))
                .contains("\"inDomain\" : true")
                .doesNotContain("reason");
    }
}
