package org.plant4j.server.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;

/**
 * Full-text search for codes with an in-memory Lucene index: by code prefix, with or without punctuation, by words of the
 * description or of synonyms, which may be unfinished, misspelt or without accents, and by abbreviations.
 */
final class CodeSearch {

    private static final String KEY = "key";
    private static final String WORDS = "words";
    private static final String SYNONYMS = "synonyms";
    private static final String ORDINAL = "ordinal";
    private static final String TRAIT = "trait";
    private static final String IN_MODEL = "inModel";
    private static final String BILLABLE = "billable";

    private static final Pattern DIACRITICS = Pattern.compile("\\p{M}+");
    private static final Pattern POSSESSIVE = Pattern.compile("['\u2019]s\\b");
    private static final Pattern PUNCTUATION = Pattern.compile("[^\\p{L}\\p{N}]+");

    /** Shorter words are not matched fuzzily: they resemble too many others. */
    private static final int MIN_FUZZY_LENGTH = 4;

    /** From this length on, two characters may be wrong. */
    private static final int LONG_WORD_LENGTH = 6;

    /** Further words of a query are ignored. */
    private static final int MAX_QUERY_WORDS = 12;

    private final List<ListedCode> codes;
    private final Abbreviations abbreviations = Abbreviations.read();
    private final Analyzer analyzer = new StandardAnalyzer();
    private final IndexSearcher searcher;

    /** {@code synonyms}: further words for a code, which count less than those of its description. */
    CodeSearch(List<ListedCode> codes, Function<String, List<String>> synonyms) {
        this.codes = List.copyOf(codes);
        try {
            ByteBuffersDirectory memory = new ByteBuffersDirectory();
            try (IndexWriter writer = new IndexWriter(memory, new IndexWriterConfig(analyzer))) {
                for (int i = 0; i < this.codes.size(); i++) {
                    ListedCode code = this.codes.get(i);
                    writer.addDocument(document(code, i, synonyms.apply(code.code())));
                }
                writer.forceMerge(1);
            }
            searcher = new IndexSearcher(DirectoryReader.open(memory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Document document(ListedCode code, int ordinal, List<String> synonyms) {
        Document document = new Document();
        document.add(new StringField(KEY, key(code.code()), Field.Store.NO));
        document.add(new TextField(WORDS, fold(code.description()), Field.Store.NO));
        document.add(new TextField(SYNONYMS, fold(String.join(" ", synonyms)), Field.Store.NO));
        document.add(new StoredField(ORDINAL, ordinal));
        if (code.inModel()) {
            document.add(new StringField(TRAIT, IN_MODEL, Field.Store.NO));
        }
        if (code.billable()) {
            document.add(new StringField(TRAIT, BILLABLE, Field.Store.NO));
        }
        return document;
    }

    /** A code without punctuation and case, so that {@code e119} finds {@code E11.9}. */
    static String key(String code) {
        return PUNCTUATION.matcher(fold(code)).replaceAll("");
    }

    /** Removes accents, case and possessives, so that {@code alzheimer} matches a word of Alzheimer's disease. */
    private static String fold(String text) {
        String plain = DIACRITICS
                .matcher(Normalizer.normalize(text, Normalizer.Form.NFKD))
                .replaceAll("")
                .toLowerCase(Locale.ROOT);
        return POSSESSIVE.matcher(plain).replaceAll("");
    }

    List<ListedCode> search(String query, int limit) {
        List<String> words = analyze(query);
        String key = key(query);
        if (key.isEmpty()) {
            return List.of();
        }
        List<ListedCode> found = execute(query(key, words, 1), limit);
        // If no code has all words, accept those with at least half of them.
        return found.isEmpty() && words.size() > 1 ? execute(query(key, words, 0.5), limit) : found;
    }

    /** {@code share}: how many of the words must match, as they are or with abbreviations expanded. */
    private Query query(String key, List<String> words, double share) {
        List<String> expanded = abbreviations.expand(words);
        Query asWritten = wordsQuery(words, share);
        Query description = expanded.equals(words)
                ? asWritten
                : new DisjunctionMaxQuery(List.of(asWritten, wordsQuery(expanded, share)), 0);
        Query code = new DisjunctionMaxQuery(
                List.of(
                        constantScore(new TermQuery(new Term(KEY, key)), 200),
                        constantScore(new PrefixQuery(new Term(KEY, key)), 100),
                        description),
                0);
        return new BooleanQuery.Builder()
                .add(code, Occur.MUST)
                .add(constantScore(new TermQuery(new Term(TRAIT, IN_MODEL)), 1f), Occur.SHOULD)
                .add(constantScore(new TermQuery(new Term(TRAIT, BILLABLE)), 0.2f), Occur.SHOULD)
                .build();
    }

    private static Query wordsQuery(List<String> words, double share) {
        BooleanQuery.Builder all = new BooleanQuery.Builder()
                .setMinimumNumberShouldMatch(Math.max(1, (int) Math.ceil(share * words.size())));
        for (int i = 0; i < words.size(); i++) {
            all.add(wordQuery(words.get(i), i == words.size() - 1), Occur.SHOULD);
        }
        return all.build();
    }

    /** Matches a word of the description or of a synonym exactly, by prefix or fuzzily; the best of them counts. */
    private static Query wordQuery(String word, boolean last) {
        List<Query> alternatives = new ArrayList<>();
        alternatives.add(new BoostQuery(new TermQuery(new Term(WORDS, word)), 3));
        alternatives.add(new BoostQuery(new TermQuery(new Term(SYNONYMS, word)), 1));
        if (last || word.length() >= MIN_FUZZY_LENGTH) {
            alternatives.add(constantScore(new PrefixQuery(new Term(WORDS, word)), last ? 2f : 1f));
        }
        if (word.length() >= MIN_FUZZY_LENGTH) {
            alternatives.add(constantScore(
                    new FuzzyQuery(new Term(WORDS, word), word.length() < LONG_WORD_LENGTH ? 1 : 2, 1), 0.8f));
        }
        if (word.chars().anyMatch(Character::isDigit)) {
            alternatives.add(constantScore(new PrefixQuery(new Term(KEY, word)), 4f));
        }
        return new DisjunctionMaxQuery(alternatives, 0);
    }

    private static Query constantScore(Query query, float score) {
        return new BoostQuery(new ConstantScoreQuery(query), score);
    }

    private List<String> analyze(String query) {
        List<String> words = new ArrayList<>();
        try (TokenStream tokens = analyzer.tokenStream(WORDS, fold(query))) {
            CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
            tokens.reset();
            while (tokens.incrementToken() && words.size() < MAX_QUERY_WORDS) {
                words.add(term.toString());
            }
            return words;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<ListedCode> execute(Query query, int limit) {
        try {
            TopDocs top = searcher.search(query, limit);
            List<ListedCode> found = new ArrayList<>();
            for (ScoreDoc hit : top.scoreDocs) {
                Document stored = searcher.storedFields().document(hit.doc);
                found.add(codes.get(stored.getField(ORDINAL).numericValue().intValue()));
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
