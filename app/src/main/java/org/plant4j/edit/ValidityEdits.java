package org.plant4j.edit;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.corpus.codeset.TabularEntry;
import org.plant4j.corpus.codeset.TabularList;

/** Whether a code can be billed: it has no subdivisions, the right seventh character, and is valid on the date. */
final class ValidityEdits {

    private static final int MAX_RESOLUTIONS = 9;

    private final CodeRules rules;
    private final Optional<TabularList> list;
    private final Optional<LocalDate> date;

    ValidityEdits(CodeRules rules, Optional<TabularList> list, Optional<LocalDate> date) {
        this.rules = rules;
        this.list = list;
        this.date = date;
    }

    /** At most one edit: a code that is not in the list needs no seventh character. */
    List<CodeEdit> check(String code) {
        if (list.isPresent() && CodeSystem.of(code) == CodeSystem.ICD_10_CM) {
            Optional<TabularEntry> entry = CodeRules.entry(list.get(), code);
            return entry.map(found -> checkListed(code, found)).orElseGet(() -> List.of(notValid(code)));
        }
        return rules.billable(code).orElse(true) ? List.of() : List.of(notBillable(code));
    }

    private List<CodeEdit> checkListed(String code, TabularEntry entry) {
        if (!entry.leaf()) {
            return List.of(notBillable(code));
        }
        Map<String, String> seventh = entry.inheritedSeventhCharacters();
        boolean complete = CodeRules.key(code).length() == 7;
        String character = complete ? code.substring(code.length() - 1) : "";
        if (seventh.isEmpty() ? complete && !entry.code().equals(code) : !seventh.containsKey(character)) {
            return List.of(seventhCharacter(code, entry, seventh, complete));
        }
        return List.of();
    }

    private CodeEdit notBillable(String code) {
        List<CodeEdit.Resolution> resolutions = new ArrayList<>();
        rules.billableBelow(code, MAX_RESOLUTIONS)
                .keySet()
                .forEach(below -> resolutions.add(CodeEdit.Resolution.replace(code, below)));
        resolutions.add(CodeEdit.Resolution.remove(code));
        return CodeEdit.of(
                CodeEdit.Kind.NOT_BILLABLE,
                List.of(code),
                code + " is a heading and cannot be billed; choose a more specific code.",
                resolutions);
    }

    private static CodeEdit seventhCharacter(
            String code, TabularEntry entry, Map<String, String> seventh, boolean complete) {
        List<CodeEdit.Resolution> resolutions = new ArrayList<>();
        seventh.keySet().stream()
                .limit(MAX_RESOLUTIONS)
                .forEach(each ->
                        resolutions.add(CodeEdit.Resolution.replace(code, CodeRules.withSeventh(entry.code(), each))));
        if (seventh.isEmpty()) {
            resolutions.add(CodeEdit.Resolution.replace(code, entry.code()));
        }
        String reason = seventh.isEmpty()
                ? entry.code() + " has no seventh character."
                : code + (complete ? " has a seventh character that is not allowed" : " needs a seventh character")
                        + ": " + String.join(", ", seventh.keySet()) + ".";
        return CodeEdit.of(CodeEdit.Kind.SEVENTH_CHARACTER, List.of(code), reason, resolutions);
    }

    /** Blocks only if the edition is that for the date: another one may not have the code yet, or no longer. */
    private CodeEdit notValid(String code) {
        TabularList edition = list.orElseThrow();
        boolean covered = CodeRules.covers(edition, date);
        String validity = covered ? ", which is valid on " : ", the nearest one to ";
        return new CodeEdit(
                CodeEdit.Kind.NOT_VALID_ON_DATE,
                covered,
                List.of(code),
                code + " is not in the " + edition.edition() + " edition of ICD-10-CM"
                        + date.map(day -> validity + day).orElse("") + ".",
                List.of(CodeEdit.Resolution.remove(code)));
    }
}
