package org.plant4j.app.desk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.plant4j.corpus.CodeBook;
import org.plant4j.text.Labels;

/** The codes of a run: those of its book, and those its model learned though no book lists them. */
final class Codes {

    private final CodeBook book;
    private final Labels labels;
    private final RankedTokens tokens;
    private final Map<String, BookCode> byCode = new LinkedHashMap<>();
    private final Map<String, String> byKey = new HashMap<>();
    private final CompletableFuture<CodeSearch> search;

    Codes(CodeBook book, Labels labels, RankedTokens tokens) {
        this.book = book;
        this.labels = labels;
        this.tokens = tokens;
        book.entries().forEach(entry -> add(entry.code(), entry.description(), isKnown(entry.code()), entry.valid()));
        labels.codes().forEach(code -> add(code, book.describe(code).orElse(""), isKnown(code), true));
        List<BookCode> all = List.copyOf(byCode.values());
        search = CompletableFuture.supplyAsync(() -> new CodeSearch(all)); // the first request need not wait for it
    }

    private void add(String code, String description, boolean known, boolean billable) {
        byCode.putIfAbsent(code, new BookCode(code, description, known, billable));
        byKey.putIfAbsent(CodeSearch.key(code), code);
    }

    private boolean isKnown(String code) {
        OptionalInt id = labels.id(code);
        return id.isPresent() && id.getAsInt() < labels.size();
    }

    List<BookCode> search(String query, int limit) {
        return search.join().search(query, limit);
    }

    /** Whether a coder may assign it: listed, or a finer form of a listed one; anything where there is no book. */
    boolean isPossible(String code) {
        return book.size() == 0
                || byCode.containsKey(code)
                || book.describe(code).isPresent();
    }

    /** One code, however its marks and case are written. */
    Optional<BookCode> listed(String written) {
        String code = byCode.containsKey(written) ? written : byKey.get(CodeSearch.key(written));
        return Optional.ofNullable(code == null ? null : byCode.get(code));
    }

    /** The same with its place in the hierarchy. */
    Optional<Map<String, Object>> find(String written) {
        return listed(written).map(this::detail);
    }

    private Map<String, Object> detail(BookCode found) {
        String code = found.code();
        List<CodeBook.Entry> parents = book.ancestors(code);
        List<CodeBook.Entry> siblings = parents.isEmpty()
                ? List.of()
                : book.children(parents.get(0).code()).stream()
                        .filter(each -> !each.code().equals(code))
                        .toList();
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("code", code);
        detail.put("description", found.description());
        detail.put("known", found.known());
        detail.put("billable", found.billable());
        OptionalInt id = labels.id(code);
        detail.put(
                "trainingDocuments", id.isPresent() ? Optional.of(labels.frequency(id.getAsInt())) : Optional.empty());
        detail.put("parents", relatives(parents));
        detail.put("children", relatives(book.children(code)));
        detail.put("siblings", relatives(siblings));
        detail.put("tokens", tokens.of(code));
        return detail;
    }

    private List<BookCode> relatives(List<CodeBook.Entry> entries) {
        List<BookCode> all = new ArrayList<>();
        for (CodeBook.Entry entry : entries) {
            BookCode listed = byCode.get(entry.code());
            all.add(listed == null ? new BookCode(entry.code(), entry.description(), false, entry.valid()) : listed);
        }
        return all;
    }
}
