package org.plant4j.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.corpus.codeset.TabularEntry;
import org.plant4j.corpus.codeset.TabularList;

/** Codes that must not be assigned together: Excludes1 notes, and a code with one of its subdivisions. */
final class ConflictEdits {

    /** Rules of the guidelines that the tabular list does not contain as Excludes1 notes. */
    private static final List<Conflict> GUIDELINES = List.of(new Conflict(
            CodeReferences.ofList("I10"),
            CodeReferences.ofList("I11-I13"),
            "hypertension with heart or kidney disease is one code (guideline I.C.9.a)"));

    /** {@code first} is part of {@code second}. */
    private record Conflict(CodeReferences first, CodeReferences second, String why) {}

    private final CodeRules rules;
    private final Optional<TabularList> list;

    ConflictEdits(CodeRules rules, Optional<TabularList> list) {
        this.rules = rules;
        this.list = list;
    }

    List<CodeEdit> check(List<String> codes) {
        List<CodeEdit> edits = new ArrayList<>();
        for (int i = 0; i < codes.size(); i++) {
            for (int j = i + 1; j < codes.size(); j++) {
                String first = codes.get(i);
                String second = codes.get(j);
                parentAndChild(first, second)
                        .or(() -> guideline(first, second))
                        .or(() -> excludes1(first, second))
                        .or(() -> excludes1(second, first))
                        .ifPresent(edits::add);
            }
        }
        return edits;
    }

    private Optional<CodeEdit> parentAndChild(String first, String second) {
        if (!rules.isAncestor(first, second) && !rules.isAncestor(second, first)) {
            return Optional.empty();
        }
        String parent = rules.isAncestor(first, second) ? first : second;
        String child = parent.equals(first) ? second : first;
        return Optional.of(CodeEdit.of(
                CodeEdit.Kind.PARENT_AND_CHILD,
                List.of(parent, child),
                child + " is more specific than " + parent + "; only one of them applies.",
                List.of(CodeEdit.Resolution.remove(parent), CodeEdit.Resolution.remove(child))));
    }

    private static Optional<CodeEdit> guideline(String first, String second) {
        for (Conflict conflict : GUIDELINES) {
            boolean forward =
                    conflict.first().contains(first) && conflict.second().contains(second);
            boolean backward =
                    conflict.first().contains(second) && conflict.second().contains(first);
            if (forward || backward) {
                String part = forward ? first : second;
                String whole = forward ? second : first;
                return Optional.of(
                        conflict(part, whole, part + " is not coded with " + whole + ": " + conflict.why() + "."));
            }
        }
        return Optional.empty();
    }

    /** Whether a note at the code, or above it, excludes the other. */
    private Optional<CodeEdit> excludes1(String code, String other) {
        Optional<TabularEntry> entry = list.flatMap(edition -> CodeRules.entry(edition, code));
        while (entry.isPresent()) {
            for (String note : entry.get().notes(TabularEntry.EXCLUDES1)) {
                if (CodeReferences.ofNotes(List.of(note)).contains(other)) {
                    String place = entry.get().code().isEmpty()
                            ? entry.get().description()
                            : entry.get().code();
                    return Optional.of(conflict(
                            other,
                            code,
                            "Excludes1 at " + place + ": " + note + ". The two are never coded together."));
                }
            }
            entry = entry.get().parent();
        }
        return Optional.empty();
    }

    private static CodeEdit conflict(String removed, String kept, String reason) {
        return CodeEdit.of(
                CodeEdit.Kind.EXCLUDES1,
                List.of(removed, kept),
                reason,
                List.of(CodeEdit.Resolution.remove(removed), CodeEdit.Resolution.remove(kept)));
    }
}
