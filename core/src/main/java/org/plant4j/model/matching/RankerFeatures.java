package org.plant4j.model.matching;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;

/**
 * The candidates that {@link MentionRanker} scores, and their features: those of a model without a ranker, and what the document
 * has of phrases that are similar to mentions or to names of labels, where the tagger expects mentions, which mentions and names
 * of other labels are in the same place, and how strongly labels with similar codes are mentioned.
 *
 * <p>Labels of similar mentions and names become candidates too. So do zero-shot labels whose code is composed of those of two
 * mentions: 8140/6 where 8140/3 and 8000/6 are mentioned.
 */
final class RankerFeatures {

    private static final int RIDGE_FEATURES = 2;

    /** Features besides those of a model without a ranker. */
    static final int FURTHER = 2 * SimilarFeatures.SIZE
            + OccurrenceFeatures.SIZE
            + FamilyFeatures.SIZE
            + RIDGE_FEATURES
            + RivalFeatures.SIZE;

    private static final double CANDIDATE_QUALITY = 0.7; // of a similar mention
    private static final double CANDIDATE_STRENGTH = 0.15; // of both parts of a composed code

    /**
     * What a model without a ranker knows about a document.
     *
     * @param ridgeScores of the trained labels; empty without ridge regression
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Matches(int[] tokens, List<Candidate> candidates, double[] ridgeScores) {}

    /** What is looked for in documents: mentions, what is similar to them, and what is similar to the names of labels. */
    record Phrases(MentionIndex mentions, SimilarMentionIndex similar, SimilarMentionIndex names) {

        Phrases(MentionIndex mentions, SimilarMentionIndex similar, List<SimilarMentionIndex.Name> names) {
            this(mentions, similar, similar.ofNames(names));
        }

        /** All sightings in a document. */
        private Sightings in(int[] document) {
            return new Sightings(mentions.sightings(document), similar.sightings(document), names.sightings(document));
        }

        /** All sightings in a training document, as if it were new. */
        private Sightings inOthers(Dataset documents, int document) {
            return new Sightings(
                    mentions.sightingsOfOthers(documents, document),
                    similar.sightingsOfOthers(documents, document),
                    names.sightings(documents.tokens(document)));
        }
    }

    private record Sightings(List<Sighting> exact, List<Sighting> similar, List<Sighting> names) {}

    /**
     * A candidate and its features, of which those of a model without a ranker come first.
     *
     * @param known whether it is a candidate without a ranker too
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Row(int label, float[] features, boolean known) {}

    /** Gives the features of a candidate in a model without a ranker. */
    interface BaseFeatures {

        float[] of(Candidate candidate, int documentLength);
    }

    /** Gives what a model knows about a training document as if it were new. */
    interface TrainingDocuments {

        Matches matches(int document);

        BaseFeatures features(int document);
    }

    private final Phrases phrases;
    private final MentionTagger tagger;
    private final CodeFamilies families;
    private final int trained; // labels with training documents; all others are zero-shot labels
    private final int labels;
    private final boolean isVersion1;

    /** @param isVersion1 in which zero-shot labels had no rank by ridge score, and the regression scored all candidates */
    RankerFeatures(Phrases phrases, MentionTagger tagger, LabelIndex labels, boolean isVersion1) {
        this.phrases = phrases;
        this.tagger = tagger;
        this.families = new CodeFamilies(labels.codes().subList(0, labels.size()));
        this.trained = labels.trainedCount();
        this.labels = labels.size();
        this.isVersion1 = isVersion1;
    }

    Phrases phrases() {
        return phrases;
    }

    MentionTagger tagger() {
        return tagger;
    }

    boolean isVersion1() {
        return isVersion1;
    }

    /** The candidates of a document. */
    List<Row> rows(Matches matches, BaseFeatures base) {
        return rows(matches, phrases.in(matches.tokens), base);
    }

    /**
     * The candidates of a training document as if it were new. Labels with too few training documents to be trained are left
     * out: the dataset does not contain them as gold labels.
     */
    List<Row> rowsOfOthers(Dataset documents, int document, LabelIndex index, TrainingDocuments training) {
        return rows(training.matches(document), phrases.inOthers(documents, document), training.features(document))
                .stream()
                .filter(row -> row.label < trained || index.frequency(row.label) == 0)
                .toList();
    }

    private List<Row> rows(Matches matches, Sightings sightings, BaseFeatures base) {
        MentionTagger.Tags tags = tagger.tag(matches.tokens);
        SimilarFeatures similarity = new SimilarFeatures(sightings.similar, tags);
        SimilarFeatures names = new SimilarFeatures(sightings.names, tags);
        OccurrenceFeatures occurrences = new OccurrenceFeatures(sightings.exact, tags);
        FamilyFeatures family = new FamilyFeatures(families, strengths(matches.candidates, similarity));
        RivalFeatures rivals =
                new RivalFeatures(sightings.names, sightings.exact, sightings.similar, matches.tokens.length);
        Set<Integer> known = matches.candidates.stream().map(Candidate::label).collect(Collectors.toSet());
        return candidates(matches, List.of(similarity, names), family).stream()
                .map(candidate -> {
                    int label = candidate.label();
                    float[] first = base.of(candidate, matches.tokens.length);
                    float[] features = Arrays.copyOf(first, first.length + FURTHER);
                    int at = first.length;
                    similarity.write(label, features, at);
                    names.write(label, features, at += SimilarFeatures.SIZE);
                    occurrences.write(label, features, at += SimilarFeatures.SIZE);
                    family.write(label, features, at += OccurrenceFeatures.SIZE);
                    writeRidge(label, matches.ridgeScores, features, at += FamilyFeatures.SIZE);
                    rivals.write(label, features, at + RIDGE_FEATURES);
                    return new Row(label, features, isVersion1 || known.contains(label));
                })
                .toList();
    }

    /** How strongly labels are mentioned: the highest probability of an exact or the highest score of a similar mention. */
    private static Map<Integer, Double> strengths(List<Candidate> candidates, SimilarFeatures similarity) {
        Map<Integer, Double> strengths = new TreeMap<>();
        for (Candidate candidate : candidates) {
            candidate.mention().ifPresent(found -> strengths.put(candidate.label(), found.probability()));
        }
        for (int label : similarity.labels()) {
            strengths.merge(label, similarity.score(label), Math::max);
        }
        return strengths;
    }

    /** The candidates in ascending order of their labels, with those of similar mentions and names and of composed codes. */
    private List<Candidate> candidates(Matches matches, List<SimilarFeatures> similar, FamilyFeatures family) {
        Map<Integer, Candidate> byLabel = new TreeMap<>();
        matches.candidates.forEach(candidate -> byLabel.put(candidate.label(), candidate));
        for (SimilarFeatures found : similar) {
            for (int label : found.labels()) {
                if (found.quality(label) >= CANDIDATE_QUALITY) {
                    byLabel.computeIfAbsent(label, key -> Candidate.of(key, matches.ridgeScores));
                }
            }
        }
        if (labels > trained) {
            for (int label = 0; label < labels; label++) {
                if (family.highest(CodeFamilies.STEM, label) > CANDIDATE_STRENGTH
                        && family.highest(CodeFamilies.REST, label) > CANDIDATE_STRENGTH) {
                    byLabel.computeIfAbsent(label, key -> Candidate.of(key, matches.ridgeScores));
                }
            }
        }
        return List.copyOf(byLabel.values());
    }

    /** The ridge score relative to the highest one, and the number of labels with a higher one. */
    private void writeRidge(int label, double[] scores, float[] features, int from) {
        if (label < scores.length || !isVersion1) {
            // A label whose only training document is left out has score 0, and so have zero-shot labels.
            double own = label < scores.length ? scores[label] : 0;
            double highest = 0;
            int higher = 0;
            for (double score : scores) {
                highest = Math.max(highest, score);
                higher += score > own ? 1 : 0;
            }
            features[from] = (float) (own / (highest + 0.01));
            features[from + 1] = higher;
        }
    }
}
