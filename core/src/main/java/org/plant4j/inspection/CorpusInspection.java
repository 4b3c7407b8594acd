package org.plant4j.inspection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.text.CorpusStatistics;
import org.plant4j.text.CorpusStatistics.SplitStatistics;
import org.plant4j.text.TokenizedText;
import org.plant4j.text.WordTokenizer;

/**
 * What a corpus contains, and what looks wrong in it.
 *
 * @param first its first documents
 * @param facts what decides which model suits it
 */
public record CorpusInspection(
        CorpusConfig config,
        CorpusStatistics statistics,
        List<Document> first,
        String language,
        CorpusFacts facts,
        List<String> warnings) {

    private static final int FIRST = 3;
    private static final int MAX_UNSEEN_PERCENT = 5;

    /** With fewer documents most codes occur once. */
    private static final int MIN_DOCUMENTS = 50;

    /** Reads the corpus twice. */
    public static CorpusInspection of(CorpusConfig config, Progress progress) {
        BadRowHandler badRows = BadRowHandler.skip();
        Splits splits = CorpusFormats.openSplits(config, badRows);
        Map<String, Corpus> corpora = new LinkedHashMap<>();
        corpora.put("train", splits.train());
        corpora.put("dev", splits.dev());
        corpora.put("test", splits.test());
        CorpusStatistics statistics = CorpusStatistics.of(
                corpora.entrySet().stream()
                        .map(entry -> Corpora.concat(entry.getKey(), List.of(entry.getValue())))
                        .toList(),
                new WordTokenizer(),
                progress);
        if (statistics.splits().get(0).documents() == 0) {
            throw badRows.first()
                    .orElseGet(() -> new UserError("The corpus has no documents", config.path(), "check the files"));
        }
        Pass pass = new Pass();
        corpora.forEach(pass::read);
        List<String> warnings = new ArrayList<>();
        badRows.first()
                .ifPresent(error -> warnings.add(badRows.skipped()
                        + (badRows.skipped() == 1 ? " row cannot be read" : " rows cannot be read") + ", the first at "
                        + error.where() + ": " + error.what() + ". plant run stops there: "
                        + error.remedy() + ", or skip such rows with --skip-bad-rows."));
        pass.addWarnings(warnings);
        if (statistics.splits().get(1).documents() == 0) {
            warnings.add("There are no dev documents: the last epoch is kept, and thresholds stay at 0.5.");
        }
        addUnseen(statistics, warnings);
        SplitStatistics train = statistics.splits().get(0);
        if (train.documents() >= MIN_DOCUMENTS && train.codesSeenOnce() * 10L >= train.distinctCodes() * 9L) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "%,d of %,d codes of train occur in one document only, so that there is little to learn. Check the"
                            + " column of the codes and the text between them.",
                    train.codesSeenOnce(),
                    train.distinctCodes()));
        }
        CorpusFacts facts = new CorpusFacts(
                train.documents(),
                train.distinctCodes(),
                train.tokensPerDocument().mean(),
                train.codesPerDocument().mean(),
                pass.evidence / (double) Math.max(1, pass.documents));
        return new CorpusInspection(
                config, statistics, List.copyOf(pass.first), pass.language.guess(), facts, List.copyOf(warnings));
    }

    private static void addUnseen(CorpusStatistics statistics, List<String> warnings) {
        for (SplitStatistics split : statistics.splits()) {
            if (split.codesUnseenInTraining() * 100 > MAX_UNSEEN_PERCENT * split.distinctCodes()) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "%,d of %,d codes of %s never occur in train, so no model trained on it can predict them.",
                        split.codesUnseenInTraining(),
                        split.distinctCodes(),
                        split.name()));
            }
        }
    }

    /** Collects what the statistics do not have, over all splits. */
    private static final class Pass {

        private final WordTokenizer tokenizer = new WordTokenizer();
        private final NearDuplicates training = new NearDuplicates();
        private final TextLanguage language = new TextLanguage();
        private final List<Document> first = new ArrayList<>();
        private final Set<String> doubles = new HashSet<>();
        private final Map<String, String> splitOfGroup = new HashMap<>();
        private final Set<String> sharedGroups = new HashSet<>();
        private final Map<String, String> duplicates = new LinkedHashMap<>();
        private int documents;
        private int evidence;
        private int uncoded;

        void read(String split, Corpus corpus) {
            try (Stream<Document> all = corpus.documents()) {
                all.forEachOrdered(document -> add(split, document));
            }
        }

        private void add(String split, Document document) {
            TokenizedText text = tokenizer.tokenize(document.text());
            language.add(text);
            if (split.equals("train")) {
                training.add(document.id(), text);
                documents++;
                evidence += document.evidence().isEmpty() ? 0 : 1;
                uncoded += document.codes().isEmpty() ? 1 : 0;
                if (first.size() < FIRST) {
                    first.add(document);
                }
            } else {
                Optional<String> same = training.find(text);
                same.ifPresent(id -> duplicates.put(document.id(), id));
            }
            document.codes().stream().filter(CodeSeparator::looksLikeTwo).forEach(doubles::add);
            String other = splitOfGroup.putIfAbsent(document.group(), split);
            if (other != null && !other.equals(split)) {
                sharedGroups.add(document.group());
            }
        }

        void addWarnings(List<String> warnings) {
            if (!doubles.isEmpty()) {
                warnings.add(doubles.size() + (doubles.size() == 1 ? " code contains" : " codes contain")
                        + " a separator, such as '"
                        + doubles.stream().sorted().findFirst().orElse("")
                        + "', and each is read as one code. If it is several, set options.code_separator or fix the"
                        + " data.");
            }
            if (!duplicates.isEmpty()) {
                Map.Entry<String, String> one = duplicates.entrySet().iterator().next();
                warnings.add(duplicates.size() + (duplicates.size() == 1 ? " document" : " documents")
                        + " of dev and test nearly repeat a text of train, such as '" + one.getKey() + "' and '"
                        + one.getValue() + "': results will be too good. Remove them, or split by a group column.");
            }
            if (!sharedGroups.isEmpty()) {
                warnings.add(sharedGroups.size() + " ids occur in two splits, such as '"
                        + sharedGroups.stream().sorted().findFirst().orElse("") + "'.");
            }
            if (uncoded > 0) {
                warnings.add(uncoded + " of " + documents + " training documents have no codes.");
            }
        }
    }
}
