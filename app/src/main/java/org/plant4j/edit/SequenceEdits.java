package org.plant4j.edit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.plant4j.corpus.codeset.TabularEntry;
import org.plant4j.corpus.codeset.TabularList;

/** The order of codes, "code first", and codes that should accompany others, "use additional code". */
final class SequenceEdits {

    private final TabularList list;

    SequenceEdits(TabularList list) {
        this.list = list;
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
        List<String> causes = CodeReferences.ofNotes(notes).among(codes).toList();
        if (notes.isEmpty() || causes.stream().anyMatch(cause -> codes.position(cause) < index)) {
            return Optional.empty();
        }
        Optional<String> later = causes.stream()
                .filter(cause -> codes.position(cause) > index)
                .min(Comparator.comparingInt(codes::position));
        if (later.isEmpty() && (index > 0 || !notes.get(0).contains("underlying"))) {
            return Optional.empty(); // other notes apply only if the patient has the condition
        }
        String note = "Code first " + String.join(" ", notes) + ".";
        return Optional.of(later.map(cause -> CodeEdit.of(
                        CodeEdit.Kind.CODE_FIRST,
                        List.of(code, cause),
                        cause + " comes before " + code + ". " + note,
                        List.of(CodeEdit.Resolution.moveBefore(cause, code))))
                .orElseGet(() -> CodeEdit.of(
                        CodeEdit.Kind.CODE_FIRST,
                        List.of(code),
                        code + " cannot be the principal diagnosis. " + note,
                        List.of())));
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
                "With " + code + ", use additional " + String.join(" ", notes) + ".",
                List.of()));
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
