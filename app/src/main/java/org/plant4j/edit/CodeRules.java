package org.plant4j.edit;

import java.time.LocalDate;
import java.time.Year;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.corpus.codeset.TabularEntry;
import org.plant4j.corpus.codeset.TabularList;

/** What is known about codes: the code set, and the editions of the tabular list, if there are any. */
public final class CodeRules {

    private static final int SEVENTH = 6;

    /** Characters before the dot of a code. */
    private static final int CATEGORY = 3;

    private static final int FIRST_MONTH = 10;

    private final CodeSet codeSet;
    private final List<TabularList> editions;

    /** The billable codes of ICD-10-CM, sorted. */
    private final String[] billable;

    public CodeRules(CodeSet codeSet, List<TabularList> editions) {
        this.codeSet = codeSet;
        this.editions = List.copyOf(editions);
        this.billable = codeSet.entries().stream()
                .filter(each -> each.valid() && CodeSystem.of(each.code()) == CodeSystem.ICD_10_CM)
                .map(CodeSet.Entry::code)
                .sorted()
                .toArray(String[]::new);
    }

    /**
     * The edition for a date; if it is not loaded, the nearest one, of two the later. Without a date the latest. Empty if
     * none is loaded.
     */
    Optional<TabularList> edition(Optional<LocalDate> date) {
        int year = date.map(CodeRules::fiscalYear).orElse(Year.MAX_VALUE);
        return editions.stream()
                .min(Comparator.<TabularList>comparingInt(each -> Math.abs(year - each.edition()))
                        .thenComparing(
                                Comparator.comparingInt(TabularList::edition).reversed()));
    }

    /** Whether an edition is that for the date, and not only the nearest one. */
    static boolean covers(TabularList edition, Optional<LocalDate> date) {
        return date.map(day -> fiscalYear(day) == edition.edition()).orElse(true);
    }

    /** Edition 2021 is valid from 1 October 2020 to 30 September 2021. */
    static int fiscalYear(LocalDate date) {
        return date.getYear() + (date.getMonthValue() >= FIRST_MONTH ? 1 : 0);
    }

    /** The entry of a code; for one with a seventh character, that of the code without it. */
    static Optional<TabularEntry> entry(TabularList list, String code) {
        Optional<TabularEntry> exact = list.find(code);
        if (exact.isPresent() || key(code).length() != SEVENTH + 1) {
            return exact;
        }
        String base = code.substring(0, code.length() - 1);
        while (base.endsWith("X") && list.find(base).isEmpty()) {
            base = base.substring(0, base.length() - 1);
        }
        return list.find(base.endsWith(".") ? base.substring(0, base.length() - 1) : base);
    }

    /** The code with its seventh character, after placeholders if it is short: T36.0X and A become T36.0XXA. */
    static String withSeventh(String code, String character) {
        StringBuilder padded = new StringBuilder(code.contains(".") ? code : code + ".");
        while (padded.length() - 1 < SEVENTH) {
            padded.append('X');
        }
        return padded.append(character).toString();
    }

    static String key(String code) {
        return code.replace(".", "");
    }

    Optional<Boolean> billable(String code) {
        return codeSet.find(code).map(CodeSet.Entry::valid);
    }

    String description(String code, Optional<TabularList> list) {
        return codeSet.find(code)
                .map(CodeSet.Entry::description)
                .or(() -> list.flatMap(each -> entry(each, code)).map(TabularEntry::description))
                .orElse("");
    }

    /** Billable codes below a code, nearest first, with their descriptions. */
    Map<String, String> billableBelow(String code, int limit) {
        Map<String, String> found = new LinkedHashMap<>();
        List<CodeSet.Entry> level = codeSet.children(code);
        while (!level.isEmpty() && found.size() < limit) {
            List<CodeSet.Entry> next = new ArrayList<>();
            for (CodeSet.Entry each : level) {
                if (each.valid() && found.size() < limit) {
                    found.put(each.code(), each.description());
                }
                next.addAll(codeSet.children(each.code()));
            }
            level = next;
        }
        return found;
    }

    /** The first billable codes between two, each with all codes below; without dots, as in {@link #key}. */
    Stream<String> billableBetween(String from, String to, int limit) {
        int start = Arrays.binarySearch(billable, dotted(from));
        String last = dotted(to);
        return Arrays.stream(billable, start < 0 ? -start - 1 : start, billable.length)
                .takeWhile(code -> code.compareTo(last) <= 0 || code.startsWith(last))
                .limit(limit);
    }

    /** The inverse of {@link #key}. */
    private static String dotted(String key) {
        return key.length() <= CATEGORY ? key : key.substring(0, CATEGORY) + "." + key.substring(CATEGORY);
    }

    /** Codes with the same parent, without the code itself. */
    List<CodeSet.Entry> siblings(String code) {
        return codeSet.ancestors(code).stream()
                .findFirst()
                .map(parent -> codeSet.children(parent.code()).stream()
                        .filter(each -> !each.code().equals(code))
                        .toList())
                .orElse(List.of());
    }

    /** The codes above a code, nearest first. */
    List<String> ancestors(String code) {
        return codeSet.ancestors(code).stream().map(CodeSet.Entry::code).toList();
    }
}
