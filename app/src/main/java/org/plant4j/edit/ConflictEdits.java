package org.plant4j.edit;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
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

    List<CodeEdit> check(AssignedCodes codes) {
        Found found = new Found(codes);
        for (String code : codes.inOrder()) {
            rules.ancestors(code).stream()
                    .filter(codes::contains)
                    .forEach(parent -> found.add(parent, code, () -> parentAndChild(parent, code)));
        }
        GUIDELINES.forEach(conflict -> guideline(conflict, codes, found));
        list.ifPresent(edition -> excludes1(edition, codes, found));
        return found.inOrder();
    }

    /** At most one edit for two codes, in the order of the codes. */
    private static final class Found {

        private record Pair(int first, int second) implements Comparable<Pair> {

            @Override
            public int compareTo(Pair other) {
                return first == other.first
                        ? Integer.compare(second, other.second)
                        : Integer.compare(first, other.first);
            }
        }

        private final AssignedCodes codes;
        private final Map<Pair, CodeEdit> edits = new TreeMap<>();

        Found(AssignedCodes codes) {
            this.codes = codes;
        }

        /** Adds an edit for two codes unless they have one or are the same. */
        void add(String one, String other, Supplier<CodeEdit> edit) {
            int i = codes.position(one);
            int j = codes.position(other);
            if (i != j) {
                edits.computeIfAbsent(new Pair(Math.min(i, j), Math.max(i, j)), pair -> edit.get());
            }
        }

        List<CodeEdit> inOrder() {
            return List.copyOf(edits.values());
        }
    }

    private static CodeEdit parentAndChild(String parent, String child) {
        return CodeEdit.of(
                CodeEdit.Kind.PARENT_AND_CHILD,
                List.of(parent, child),
                child + " is more specific than " + parent + "; only one of them applies.",
                List.of(CodeEdit.Resolution.remove(parent), CodeEdit.Resolution.remove(child)));
    }

    private static void guideline(Conflict conflict, AssignedCodes codes, Found found) {
        List<String> wholes = conflict.second().among(codes).toList();
        conflict.first().among(codes).forEach(part -> {
            for (String whole : wholes) {
                String reason = part + " is not coded with " + whole + ": " + conflict.why() + ".";
                found.add(part, whole, () -> conflict(part, whole, reason));
            }
        });
    }

    /** Notes at a code, or above it, that exclude another; of two codes that exclude each other, the first one's note. */
    private static void excludes1(TabularList edition, AssignedCodes codes, Found found) {
        for (boolean later : new boolean[] {true, false}) {
            for (String code : codes.inOrder()) {
                Optional<TabularEntry> entry = CodeRules.entry(edition, code);
                while (entry.isPresent()) {
                    TabularEntry place = entry.get();
                    for (String note : place.notes(TabularEntry.EXCLUDES1)) {
                        CodeReferences.ofNotes(List.of(note))
                                .among(codes)
                                .filter(other -> codes.position(other) > codes.position(code) == later)
                                .forEach(other -> found.add(code, other, () -> excluded(code, other, place, note)));
                    }
                    entry = place.parent();
                }
            }
        }
    }

    private static CodeEdit excluded(String code, String other, TabularEntry place, String note) {
        String name = place.code().isEmpty() ? place.description() : place.code();
        return conflict(other, code, "Excludes1 at " + name + ": " + note + ". The two are never coded together.");
    }

    private static CodeEdit conflict(String removed, String kept, String reason) {
        return CodeEdit.of(
                CodeEdit.Kind.EXCLUDES1,
                List.of(removed, kept),
                reason,
                List.of(CodeEdit.Resolution.remove(removed), CodeEdit.Resolution.remove(kept)));
    }
}
