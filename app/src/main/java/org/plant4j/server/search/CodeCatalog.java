package org.plant4j.server.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.text.LabelIndex;

/** The codes of a run: its code set, and labels of the model that the code set does not list. */
public final class CodeCatalog {

    /** The planted tokens of a code that find it; later ones are too general. */
    private static final int SEARCHED_TOKENS = 5;

    private final CodeSet codeSet;
    private final LabelIndex labels;
    private final RankedTokens tokens;
    private final Map<String, ListedCode> byCode = new LinkedHashMap<>();
    private final Map<String, String> byKey = new HashMap<>();
    private final FutureTask<CodeSearch> search;

    /** {@code inclusionTerms}: further names of a code, which the search knows too. */
    public CodeCatalog(
            CodeSet codeSet, LabelIndex labels, RankedTokens tokens, Function<String, List<String>> inclusionTerms) {
        this.codeSet = codeSet;
        this.labels = labels;
        this.tokens = tokens;
        codeSet.entries().forEach(entry -> add(entry.code(), entry.description(), entry.valid()));
        labels.codes().forEach(code -> add(code, codeSet.describe(code).orElse(""), true));
        List<ListedCode> codes = List.copyOf(byCode.values());
        search = new FutureTask<>(() -> new CodeSearch(codes, code -> synonyms(code, inclusionTerms)));
        CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(search); // the server starts first
    }

    private void add(String code, String description, boolean billable) {
        byCode.putIfAbsent(code, new ListedCode(code, description, isInModel(code), billable));
        byKey.putIfAbsent(CodeSearch.key(code), code);
    }

    private List<String> synonyms(String code, Function<String, List<String>> inclusionTerms) {
        List<String> synonyms = new ArrayList<>(inclusionTerms.apply(code));
        tokens.forCode(code).stream().limit(SEARCHED_TOKENS).forEach(each -> synonyms.add(each.token()));
        return synonyms;
    }

    private boolean isInModel(String code) {
        OptionalInt label = labels.id(code);
        return label.isPresent() && label.getAsInt() < labels.size();
    }

    public List<ListedCode> search(String query, int limit) {
        search.run(); // does nothing if it runs or ran already
        try {
            return search.get().search(query, limit);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Whether the code, in exactly this form, is in the code set or a label of the model. */
    public boolean contains(String code) {
        return byCode.containsKey(code);
    }

    /** Finds a code, ignoring case and punctuation. */
    public Optional<ListedCode> lookup(String text) {
        String code = byCode.containsKey(text) ? text : byKey.get(CodeSearch.key(text));
        return Optional.ofNullable(code == null ? null : byCode.get(code));
    }

    /** Finds the details of a code, ignoring case and punctuation. */
    public Optional<CodeDetails> details(String text) {
        return lookup(text).map(this::details);
    }

    private CodeDetails details(ListedCode listed) {
        String code = listed.code();
        List<CodeSet.Entry> parents = codeSet.ancestors(code);
        List<CodeSet.Entry> siblings = parents.isEmpty()
                ? List.of()
                : codeSet.children(parents.get(0).code()).stream()
                        .filter(sibling -> !sibling.code().equals(code))
                        .toList();
        OptionalInt label = labels.id(code);
        return new CodeDetails(
                listed,
                label.isPresent() ? Optional.of(labels.frequency(label.getAsInt())) : Optional.empty(),
                list(parents),
                list(codeSet.children(code)),
                list(siblings),
                tokens.forCode(code));
    }

    private List<ListedCode> list(List<CodeSet.Entry> entries) {
        List<ListedCode> codes = new ArrayList<>();
        for (CodeSet.Entry entry : entries) {
            ListedCode listed = byCode.get(entry.code());
            codes.add(
                    listed == null ? new ListedCode(entry.code(), entry.description(), false, entry.valid()) : listed);
        }
        return codes;
    }
}
