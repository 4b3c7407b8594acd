package org.plant4j.edit;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
        List<String> distinct = List.copyOf(new LinkedHashSet<>(codes));
        ValidityEdits validity = new ValidityEdits(rules, list, date);
        SpecificityEdits specificity = new SpecificityEdits(rules);
        List<CodeEdit> edits = new ArrayList<>();
        for (String code : distinct) {
            edits.addAll(validity.check(code));
        }
        edits.addAll(new ConflictEdits(rules, list).check(distinct));
        list.ifPresent(edition -> edits.addAll(new SequenceEdits(edition).check(distinct)));
        edits.addAll(specificity.check(distinct, suggested));
        return List.copyOf(edits);
    }
}
