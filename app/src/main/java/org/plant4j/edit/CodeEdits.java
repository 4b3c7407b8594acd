package org.plant4j.edit;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.corpus.codeset.TabularList;

/** Checks the codes of an encounter against the rules of ICD-10-CM. Codes of other code systems have no edits. */
public final class CodeEdits {

    private final CodeRules rules;

    public CodeEdits(CodeRules rules) {
        this.rules = rules;
    }

    /**
     * Returns the edits for codes in their order, the principal diagnosis first; blocking ones come first.
     *
     * @param suggested further codes that a model suggested
     * @param date the day on which the codes must be valid
     */
    public List<CodeEdit> check(List<String> codes, Set<String> suggested, Optional<LocalDate> date) {
        Optional<TabularList> list = rules.edition(date);
        AssignedCodes assigned = new AssignedCodes(codes);
        List<String> distinct = assigned.inOrder();
        ValidityEdits validity = new ValidityEdits(rules, list, date);
        SpecificityEdits specificity = new SpecificityEdits(rules);
        List<CodeEdit> edits = new ArrayList<>();
        for (String code : distinct) {
            edits.addAll(validity.check(code));
        }
        list.filter(edition -> !CodeRules.covers(edition, date))
                .flatMap(edition -> noEdition(distinct, edition, date.orElseThrow()))
                .ifPresent(edits::add);
        edits.addAll(new ConflictEdits(rules, list).check(assigned));
        list.ifPresent(edition -> edits.addAll(new SequenceEdits(rules, edition, suggested).check(assigned)));
        edits.addAll(specificity.check(assigned, suggested));
        return List.copyOf(edits);
    }

    /** Says that codes were checked against another edition than that for their date. */
    private static Optional<CodeEdit> noEdition(List<String> codes, TabularList used, LocalDate date) {
        List<String> checked = codes.stream()
                .filter(code -> CodeSystem.of(code) == CodeSystem.ICD_10_CM)
                .toList();
        return checked.isEmpty()
                ? Optional.empty()
                : Optional.of(CodeEdit.of(
                        CodeEdit.Kind.NO_EDITION,
                        checked,
                        "No edition of ICD-10-CM for " + date + " is loaded; the codes were checked against the "
                                + used.edition() + " edition.",
                        List.of()));
    }
}
