package org.plant4j.cli.code;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.plant4j.CodingResult;
import org.plant4j.DomainCheck;
import org.plant4j.Suggestion;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;

/** Prints the codes of documents as tables or as JSON. */
final class CodingResultPrinter {

    private final CommonOptions common;
    private final boolean json;
    private final boolean several;

    /** With {@code several} documents, JSON is printed on one line each, and tables are titled with the document's id. */
    CodingResultPrinter(CommonOptions common, boolean json, boolean several) {
        this.common = common;
        this.json = json;
        this.several = several;
    }

    /** A coded document as JSON: the same as a document of {@code POST /api/code/batch}. */
    private record CodedInput(String id, @JsonUnwrapped DomainCheck domain, List<Suggestion> codes) {}

    void print(String id, CodingResult result) {
        if (json) {
            CodedInput coded = new CodedInput(id, result.domain(), result.suggestions());
            common.out().println(several ? JsonOption.line(coded) : JsonOption.pretty(coded));
        } else {
            printTable(id, result);
        }
    }

    private void printTable(String id, CodingResult result) {
        List<Suggestion> suggestions = result.suggestions();
        if (several) {
            common.out().println(common.bold(id));
        }
        result.domain().notice().ifPresent(common.out()::println);
        common.out().print(new SuggestionTable(suggestions).toText(common.width(), common.color()));
        if (suggestions.stream()
                .anyMatch(suggestion -> SuggestionTable.mark(suggestion).equals("?"))) {
            common.out().println(common.faint("? needs review: all evidence is negated or about relatives."));
        }
        if (several) {
            common.out().println();
        } else if (suggestions.stream()
                .anyMatch(suggestion -> SuggestionTable.mark(suggestion).equals("✓"))) {
            common.out().println(common.faint("✓ reaches the threshold that was tuned on the dev split."));
        }
    }
}
