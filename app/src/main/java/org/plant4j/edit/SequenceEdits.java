package org.plant4j.edit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.corpus.codeset.TabularEntry;
import org.plant4j.corpus.codeset.TabularList;

/** The order of codes, "code first", and codes that should accompany others, "use additional code". */
final class SequenceEdits {

    /** Codes to add that an edit offers. */
    private static final int MAX_ADDITIONS = 3;

    private final CodeRules rules;
    private final TabularList list;
    private final AssignedCodes suggested;

    /** {@code suggested}: codes to offer first, if a note names them. */
    SequenceEdits(CodeRules rules, TabularList list, Set<String> suggested) {
        this.rules = rules;
        this.list = list;
        this.suggested = new AssignedCodes(suggested);
    }

    List<CodeEdit> check(AssignedCodes codes) {
        List<CodeEdit> edits = new ArrayList<>();
        for (String code : codes.inOrder()) {
            codeFirst(code, codes).ifPresent(edits::add);
        }
        for (String code : codes.inOrder()) {
            useAdditional(code, codes).ifPresent(edits::add);
        }
        return edits;
    }

    /** A code with the note follows one that the note names. A manifestation of an underlying disease is never first. */
    private Optional<CodeEdit> codeFirst(String code, AssignedCodes codes) {
        int index = codes.position(code);
        List<String> notes = notes(code, TabularEntry.CODE_FIRST);
        CodeReferences references = CodeReferences.ofNotes(notes);
        List<String> causes = references.among(codes).toList();
        if (notes.isEmpty() || causes.stream().anyMatch(cause -> codes.position(cause) < index)) {
            return Optional.empty();
        }
        Optional<String> later = causes.stream()
                .filter(cause -> codes.position(cause) > index)
                .min(Comparator.comparingInt(codes::position));
        if (later.isEmpty() && (index > 0 || !notes.get(0).contains("underlying"))) {
            return Optional.empty(); // other notes apply only if the patient has the condition
        }
        String note = "Code first " + join(notes) + ".";
        return Optional.of(later.map(cause -> CodeEdit.of(
                        CodeEdit.Kind.CODE_FIRST,
                        List.of(code, cause),
                        cause + " comes before " + code + ". " + note,
                        List.of(CodeEdit.Resolution.moveBefore(cause, code))))
                .orElseGet(() -> CodeEdit.of(
                        CodeEdit.Kind.CODE_FIRST,
                        List.of(code),
                        code + " cannot be the principal diagnosis. " + note,
                        notFirst(code, references, codes))));
    }

    /** Another code first, or one that the note names in addition, which can then be put first; else none of them. */
    private List<CodeEdit.Resolution> notFirst(String code, CodeReferences causes, AssignedCodes codes) {
        List<CodeEdit.Resolution> resolutions = new ArrayList<>(additions(causes));
        List<String> others = codes.inOrder();
        if (others.size() > 1) {
            resolutions.add(0, CodeEdit.Resolution.moveBefore(others.get(1), code));
        }
        return resolutions.isEmpty() ? List.of(CodeEdit.Resolution.remove(code)) : resolutions;
    }

    private Optional<CodeEdit> useAdditional(String code, AssignedCodes codes) {
        List<String> notes = notes(code, TabularEntry.USE_ADDITIONAL);
        CodeReferences references = CodeReferences.ofNotes(notes);
        if (references.isEmpty() || references.among(codes).findAny().isPresent()) {
            return Optional.empty();
        }
        return Optional.of(CodeEdit.of(
                CodeEdit.Kind.USE_ADDITIONAL,
                List.of(code),
                "With " + code + ", use additional " + join(notes) + ".",
                additions(references)));
    }

    /** Billable codes that a note names: suggested ones, then others of the code set. */
    private List<CodeEdit.Resolution> additions(CodeReferences references) {
        return Stream.concat(
                        references
                                .among(suggested)
                                .filter(code -> rules.billable(code).orElse(false)),
                        references.billable(rules, MAX_ADDITIONS))
                .distinct()
                .limit(MAX_ADDITIONS)
                .map(CodeEdit.Resolution::add)
                .toList();
    }

    /** The notes as one sentence; one that ends with a colon introduces a list. */
    private static String join(List<String> notes) {
        StringBuilder joined = new StringBuilder();
        for (String note : notes) {
            joined.append(joined.isEmpty() ? "" : joined.charAt(joined.length() - 1) == ':' ? " " : "; ")
                    .append(note.strip());
        }
        return joined.toString();
    }

    /** The notes at the code or the codes above it; those of blocks and chapters are too general to warn about. */
    private List<String> notes(String code, String kind) {
        List<String> notes = new ArrayList<>();
        Optional<TabularEntry> entry = CodeRules.entry(list, code);
        while (entry.isPresent() && !entry.get().code().isEmpty()) {
            notes.addAll(entry.get().notes(kind));
            entry = entry.get().parent();
        }
        return notes;
    }
}
