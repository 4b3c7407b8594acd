package org.plant4j.edit;

import java.util.ArrayList;
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

    List<CodeEdit> check(List<String> codes) {
        List<CodeEdit> edits = new ArrayList<>();
        for (int i = 0; i < codes.size(); i++) {
            codeFirst(codes, i).ifPresent(edits::add);
        }
        for (String code : codes) {
            useAdditional(code, codes).ifPresent(edits::add);
        }
        return edits;
    }

    /** A code with the note follows one that the note names. A manifestation of an underlying disease is never first. */
    private Optional<CodeEdit> codeFirst(List<String> codes, int index) {
        String code = codes.get(index);
        List<String> notes = notes(code, TabularEntry.CODE_FIRST);
        CodeReferences references = CodeReferences.ofNotes(notes);
        if (notes.isEmpty() || codes.subList(0, index).stream().anyMatch(references::contains)) {
            return Optional.empty();
        }
        Optional<String> later = codes.subList(index + 1, codes.size()).stream()
                .filter(references::contains)
                .findFirst();
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

    private Optional<CodeEdit> useAdditional(String code, List<String> codes) {
        List<String> notes = notes(code, TabularEntry.USE_ADDITIONAL);
        CodeReferences references = CodeReferences.ofNotes(notes);
        if (references.isEmpty() || codes.stream().anyMatch(references::contains)) {
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
