package org.plant4j.server.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.text.LabelIndex;

/** The codes of a run: those of its book, and those its model learned though no book lists them. */
public final class CodeCatalog {

    private final CodeSet book;
    private final LabelIndex labels;
    private final RankedTokens tokens;
    private final Map<String, ListedCode> byCode = new LinkedHashMap<>();
    private final Map<String, String> byKey = new HashMap<>();
    private final CompletableFuture<CodeSearch> search;

    public CodeCatalog(CodeSet book, LabelIndex labels, RankedTokens tokens) {
        this.book = book;
        this.labels = labels;
        this.tokens = tokens;
        book.entries().forEach(entry -> add(entry.code(), entry.description(), isKnown(entry.code()), entry.valid()));
        labels.codes().forEach(code -> add(code, book.describe(code).orElse(""), isKnown(code), true));
        List<ListedCode> all = List.copyOf(byCode.values());
        search = CompletableFuture.supplyAsync(() -> new CodeSearch(all)); // the first request need not wait for it
    }

    private void add(String code, String description, boolean known, boolean billable) {
        byCode.putIfAbsent(code, new ListedCode(code, description, known, billable));
        byKey.putIfAbsent(CodeSearch.key(code), code);
    }

    private boolean isKnown(String code) {
        OptionalInt id = labels.id(code);
        return id.isPresent() && id.getAsInt() < labels.size();
    }

    public List<ListedCode> search(String query, int limit) {
        return search.join().search(query, limit);
    }

    /** Whether a coder may assign it: listed, or a finer form of a listed one; anything where there is no book. */
    public boolean isAssignable(String code) {
        return book.size() == 0
                || byCode.containsKey(code)
                || book.describe(code).isPresent();
    }

    /** One code, however its marks and case are written. */
    public Optional<ListedCode> lookup(String written) {
        String code = byCode.containsKey(written) ? written : byKey.get(CodeSearch.key(written));
        return Optional.ofNullable(code == null ? null : byCode.get(code));
    }

    /** The same with its place in the hierarchy. */
    public Optional<Map<String, Object>> details(String written) {
        return lookup(written).map(this::details);
    }

    private Map<String, Object> details(ListedCode found) {
        String code = found.code();
        List<CodeSet.Entry> parents = book.ancestors(code);
        List<CodeSet.Entry> siblings = parents.isEmpty()
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
        detail.put("tokens", tokens.forCode(code));
        return detail;
    }

    private List<ListedCode> relatives(List<CodeSet.Entry> entries) {
        List<ListedCode> all = new ArrayList<>();
        for (CodeSet.Entry entry : entries) {
            ListedCode listed = byCode.get(entry.code());
            all.add(listed == null ? new ListedCode(entry.code(), entry.description(), false, entry.valid()) : listed);
        }
        return all;
    }
}
