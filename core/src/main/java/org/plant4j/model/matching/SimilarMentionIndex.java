package org.plant4j.model.matching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.plant4j.text.Dataset;
import org.plant4j.text.TokenEvidence;

/**
 * Finds phrases that are similar to mentions: with the words in another order, other endings, further words between them, or
 * without some of the words. A mention is here the set of the loose stems of marked phrases. Its quality in a window of a
 * document is the share of its weight that the window has, less a penalty for each further word; a stem weighs by its inverse
 * document frequency, and a similar stem counts in part.
 */
final class SimilarMentionIndex {

    static final double LEAST_QUALITY = 0.55;

    /** A training document contains a mention if its quality is at least this. */
    private static final double CONTAINED = 0.95;

    private static final int MAX_LENGTH = 12;
    private static final int FURTHER_WORDS = 4; // that a window may have
    private static final double FURTHER_WORD = 0.02; // penalty
    private static final double LEAST_WEIGHT = 0.1;

    /** A set of stems in ascending order with its counts, and the length of the shortest phrase that was marked. */
    record SimilarMention(MentionIndex.Mention mention, int length) {}

    /** The best window of a mention in a document. */
    record Match(int mention, int start, int end, double quality, double missing) {}

    /** An occurrence of the {@code member}-th stem of a mention, or of a similar stem. */
    private record Place(int position, int member, double similarity) {}

    private final LooseStems stems;
    private final float[] weights; // by stem
    private final List<SimilarMention> mentions;
    private final int[][] mentionsOf; // by stem

    SimilarMentionIndex(LooseStems stems, float[] weights, List<SimilarMention> mentions) {
        this.stems = stems;
        this.weights = weights;
        this.mentions = List.copyOf(mentions);
        List<IntStream.Builder> builders = IntStream.range(0, stems.size())
                .mapToObj(stem -> IntStream.builder())
                .toList();
        for (int mention = 0; mention < mentions.size(); mention++) {
            for (int stem : mentions.get(mention).mention().stems()) {
                builders.get(stem).add(mention);
            }
        }
        this.mentionsOf =
                builders.stream().map(builder -> builder.build().toArray()).toArray(int[][]::new);
    }

    /** Indexes the gold evidence of documents. */
    static SimilarMentionIndex of(LooseStems stems, Dataset documents) {
        Map<List<Integer>, Marks> marks = new LinkedHashMap<>();
        int[] containing = new int[stems.size()];
        for (int document = 0; document < documents.size(); document++) {
            int[] tokens = stems.of(documents.tokens(document));
            Arrays.stream(tokens)
                    .filter(stem -> stem != DescriptionIndex.UNKNOWN)
                    .distinct()
                    .forEach(stem -> containing[stem]++);
            for (TokenEvidence evidence : documents.evidence(document)) {
                List<Integer> key = key(tokens, evidence);
                if (!key.isEmpty()) {
                    marks.computeIfAbsent(key, first -> new Marks()).add(document, evidence);
                }
            }
        }
        float[] weights = new float[stems.size()];
        for (int stem = 0; stem < weights.length; stem++) {
            weights[stem] =
                    (float) Math.max(LEAST_WEIGHT, Math.log((1.0 + documents.size()) / (1.0 + containing[stem])));
        }
        int[] counts = new int[marks.size()];
        SimilarMentionIndex uncounted = new SimilarMentionIndex(stems, weights, mentions(marks, counts));
        for (int document = 0; document < documents.size(); document++) {
            uncounted.matches(documents.tokens(document), CONTAINED).forEach(match -> counts[match.mention]++);
        }
        return new SimilarMentionIndex(stems, weights, mentions(marks, counts));
    }

    /** The name of a label: its distinct stems in ascending order, and its length in words. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Name(int label, int[] stems, int length) {}

    /** The names of labels, given as tokens. */
    List<Name> names(List<int[]> tokens) {
        return IntStream.range(0, tokens.size())
                .mapToObj(label -> new Name(
                        label,
                        Arrays.stream(stems.of(tokens.get(label)))
                                .filter(stem -> stem != DescriptionIndex.UNKNOWN)
                                .distinct()
                                .sorted()
                                .toArray(),
                        tokens.get(label).length))
                .toList();
    }

    /** Indexes the names of labels with the same weights; each counts as one document that marks it for its label. */
    SimilarMentionIndex ofNames(List<Name> names) {
        return new SimilarMentionIndex(
                stems,
                weights,
                names.stream()
                        .map(name -> new SimilarMention(
                                new MentionIndex.Mention(name.stems, 1, 1, new int[] {name.label}, new int[] {1}),
                                name.length))
                        .toList());
    }

    /** The distinct stems of evidence in ascending order; none of long evidence, which is a passage. */
    private static List<Integer> key(int[] stems, TokenEvidence evidence) {
        return evidence.end() - evidence.start() > MAX_LENGTH
                ? List.of()
                : Arrays.stream(stems, evidence.start(), evidence.end())
                        .filter(stem -> stem != DescriptionIndex.UNKNOWN)
                        .distinct()
                        .sorted()
                        .boxed()
                        .toList();
    }

    /** The documents in which a set of stems was marked, in all and for each label. */
    private static final class Marks {

        private final Set<Integer> documents = new TreeSet<>();
        private final Map<Integer, Set<Integer>> byLabel = new TreeMap<>();
        private int length = Integer.MAX_VALUE;

        void add(int document, TokenEvidence evidence) {
            documents.add(document);
            byLabel.computeIfAbsent(evidence.label(), label -> new TreeSet<>()).add(document);
            length = Math.min(length, evidence.end() - evidence.start());
        }

        SimilarMention mention(List<Integer> stems, int containing) {
            return new SimilarMention(
                    new MentionIndex.Mention(
                            stems.stream().mapToInt(Integer::intValue).toArray(),
                            Math.max(containing, documents.size()),
                            documents.size(),
                            byLabel.keySet().stream()
                                    .mapToInt(Integer::intValue)
                                    .toArray(),
                            byLabel.values().stream().mapToInt(Set::size).toArray()),
                    length);
        }
    }

    private static List<SimilarMention> mentions(Map<List<Integer>, Marks> marks, int[] containing) {
        List<SimilarMention> mentions = new ArrayList<>();
        marks.forEach((stems, marked) -> mentions.add(marked.mention(stems, containing[mentions.size()])));
        return mentions;
    }

    LooseStems stems() {
        return stems;
    }

    float[] weights() {
        return weights;
    }

    List<SimilarMention> mentions() {
        return mentions;
    }

    /** What a document has of the mentions, one sighting of each. */
    List<Sighting> sightings(int[] document) {
        return matches(document, LEAST_QUALITY).stream()
                .map(match -> sighting(match, mentions.get(match.mention).mention()))
                .toList();
    }

    /** The same for a training document as if it were new: its text and its gold evidence do not count. */
    List<Sighting> sightingsOfOthers(Dataset documents, int document) {
        int[] tokens = stems.of(documents.tokens(document));
        Map<List<Integer>, Set<Integer>> own = new HashMap<>();
        for (TokenEvidence evidence : documents.evidence(document)) {
            own.computeIfAbsent(key(tokens, evidence), key -> new TreeSet<>()).add(evidence.label());
        }
        List<Sighting> sightings = new ArrayList<>();
        for (Match match : matches(documents.tokens(document), LEAST_QUALITY)) {
            MentionIndex.Mention mention = mentions.get(match.mention).mention();
            List<Integer> key = Arrays.stream(mention.stems()).boxed().toList();
            Set<Integer> labels = own.getOrDefault(key, Set.of());
            MentionIndex.Mention others =
                    match.quality >= CONTAINED || !labels.isEmpty() ? mention.without(labels) : mention;
            if (others.marked() > 0) {
                sightings.add(sighting(match, others));
            }
        }
        return sightings;
    }

    private Sighting sighting(Match match, MentionIndex.Mention counts) {
        return new Sighting(counts, match.start, match.end, match.quality, weight(counts.stems()), match.missing);
    }

    private double weight(int[] of) {
        double sum = 0;
        for (int stem : of) {
            sum += weights[stem];
        }
        return sum;
    }

    /** The best window of each mention that has at least a quality. */
    List<Match> matches(int[] document, double leastQuality) {
        Map<Integer, List<Place>> places = places(stems.of(document)); // by stem
        double[] present = new double[mentions.size()]; // weight in the document
        places.forEach((stem, found) -> {
            double best = found.stream().mapToDouble(Place::similarity).max().orElse(0);
            for (int mention : mentionsOf[stem]) {
                present[mention] += best * weights[stem];
            }
        });
        List<Match> matches = new ArrayList<>();
        for (int mention = 0; mention < present.length; mention++) {
            double weight = present[mention] == 0
                    ? 0
                    : weight(mentions.get(mention).mention().stems());
            if (present[mention] > 0 && present[mention] >= leastQuality * weight) {
                Match match = best(mention, weight, places);
                if (match.quality >= leastQuality) {
                    matches.add(match);
                }
            }
        }
        return matches;
    }

    /** Where the stems of mentions, or similar ones, are. */
    private Map<Integer, List<Place>> places(int[] document) {
        Map<Integer, List<Place>> places = new TreeMap<>();
        for (int position = 0; position < document.length; position++) {
            if (document[position] != DescriptionIndex.UNKNOWN) {
                add(places, document[position], position, 1);
                for (LooseStems.Neighbour neighbour : stems.neighbours(document[position])) {
                    add(places, neighbour.stem(), position, neighbour.similarity());
                }
            }
        }
        return places;
    }

    private void add(Map<Integer, List<Place>> places, int stem, int position, double similarity) {
        if (mentionsOf[stem].length > 0) {
            places.computeIfAbsent(stem, key -> new ArrayList<>()).add(new Place(position, 0, similarity));
        }
    }

    /** The window with the highest quality, of equal ones the first. */
    private Match best(int id, double weight, Map<Integer, List<Place>> placesOf) {
        int[] members = mentions.get(id).mention().stems();
        List<Place> places = new ArrayList<>();
        for (int member = 0; member < members.length; member++) {
            for (Place place : placesOf.getOrDefault(members[member], List.of())) {
                places.add(new Place(place.position, member, place.similarity));
            }
        }
        places.sort(Comparator.comparingInt(Place::position).thenComparingInt(Place::member));
        int length = mentions.get(id).length();
        Match best = new Match(id, 0, 0, 0, weight);
        double[] similarity = new double[members.length];
        for (int first = 0; first < places.size(); first++) {
            Arrays.fill(similarity, 0);
            double found = 0;
            int start = places.get(first).position;
            for (int last = first;
                    last < places.size() && places.get(last).position < start + length + FURTHER_WORDS;
                    last++) {
                Place place = places.get(last);
                double gain = place.similarity - similarity[place.member];
                if (gain > 0) {
                    found += gain * weights[members[place.member]];
                    similarity[place.member] = place.similarity;
                }
                int further = Math.max(0, place.position - start + 1 - length);
                double quality = found / weight - FURTHER_WORD * further;
                if (quality > best.quality + 1e-9) {
                    best = new Match(id, start, place.position + 1, quality, weight - found);
                }
            }
        }
        return best;
    }
}
