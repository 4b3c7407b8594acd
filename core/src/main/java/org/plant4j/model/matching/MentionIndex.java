package org.plant4j.model.matching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.plant4j.text.Dataset;
import org.plant4j.text.TokenEvidence;

/**
 * Finds mentions in documents: the phrases that annotators marked as evidence of a label in training documents. A label that a
 * phrase was marked for in most of the documents that contain it is likely wherever the phrase occurs.
 */
final class MentionIndex {

    /** Longer evidence is a passage, which hardly occurs twice. */
    static final int MAX_LENGTH = 10;

    private static final int ROOT = 0;
    private static final int NO_MENTION = -1;

    /**
     * A phrase and what it was marked for.
     *
     * @param stems of its tokens
     * @param documents training documents that contain it
     * @param marked training documents in which it is evidence
     * @param labels that it is evidence of, ascending
     * @param counts training documents in which it is evidence of each of these labels
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Mention(int[] stems, int documents, int marked, int[] labels, int[] counts) {

        /** The counts without one of the documents that contain it, which marks it for the given labels. */
        Mention without(Set<Integer> ownLabels) {
            int[] others = counts.clone();
            for (int i = 0; i < others.length; i++) {
                others[i] -= ownLabels.contains(labels[i]) ? 1 : 0;
            }
            return new Mention(stems, documents - 1, marked - (ownLabels.isEmpty() ? 0 : 1), labels, others);
        }
    }

    /** An occurrence of a mention: positions from {@code start} to {@code end}, exclusive. */
    record Occurrence(int mention, int start, int end) {}

    private final int[] stemOf; // by token
    private final List<Mention> mentions;
    private final Map<Long, Integer> children = new HashMap<>(); // of (node, stem) in a trie of the stems
    private final List<Integer> mentionAt = new ArrayList<>(List.of(NO_MENTION)); // by node

    MentionIndex(int[] stemOf, List<Mention> mentions) {
        this.stemOf = stemOf;
        this.mentions = List.copyOf(mentions);
        for (int mention = 0; mention < mentions.size(); mention++) {
            mentionAt.set(addNode(mentions.get(mention).stems()), mention);
        }
    }

    /** Indexes the gold evidence of documents; {@code stemOf} gives the stem of each token. */
    static MentionIndex of(int[] stemOf, Dataset documents) {
        Map<List<Integer>, Marks> marks = new LinkedHashMap<>();
        for (int document = 0; document < documents.size(); document++) {
            int[] tokens = documents.tokens(document);
            for (TokenEvidence evidence : documents.evidence(document)) {
                List<Integer> stems = stems(stemOf, tokens, evidence);
                if (isMention(stems)) {
                    marks.computeIfAbsent(stems, key -> new Marks(new TreeSet<>(), new TreeMap<>()))
                            .add(document, evidence.label());
                }
            }
        }
        int[] containing = new int[marks.size()];
        MentionIndex uncounted = new MentionIndex(stemOf, mentions(marks, containing));
        for (int document = 0; document < documents.size(); document++) {
            uncounted.occurrences(documents.tokens(document)).stream()
                    .mapToInt(Occurrence::mention)
                    .distinct()
                    .forEach(mention -> containing[mention]++);
        }
        return new MentionIndex(stemOf, mentions(marks, containing));
    }

    /** The documents in which a phrase was marked, in all and for each label. */
    private record Marks(Set<Integer> documents, Map<Integer, Set<Integer>> byLabel) {

        void add(int document, int label) {
            documents.add(document);
            byLabel.computeIfAbsent(label, key -> new TreeSet<>()).add(document);
        }

        Mention mention(List<Integer> stems, int containing) {
            return new Mention(
                    stems.stream().mapToInt(Integer::intValue).toArray(),
                    containing,
                    documents.size(),
                    byLabel.keySet().stream().mapToInt(Integer::intValue).toArray(),
                    byLabel.values().stream().mapToInt(Set::size).toArray());
        }
    }

    private static List<Mention> mentions(Map<List<Integer>, Marks> marks, int[] containing) {
        List<Mention> mentions = new ArrayList<>();
        marks.forEach((stems, marked) -> mentions.add(marked.mention(stems, containing[mentions.size()])));
        return mentions;
    }

    private static List<Integer> stems(int[] stemOf, int[] tokens, TokenEvidence evidence) {
        return Arrays.stream(tokens, evidence.start(), evidence.end())
                .mapToObj(token -> stemOf[token])
                .toList();
    }

    private static boolean isMention(List<Integer> stems) {
        return !stems.isEmpty() && stems.size() <= MAX_LENGTH && !stems.contains(DescriptionIndex.UNKNOWN);
    }

    private int addNode(int[] stems) {
        int node = ROOT;
        for (int stem : stems) {
            int next = mentionAt.size();
            int child = children.computeIfAbsent(key(node, stem), key -> next);
            if (child == next) {
                mentionAt.add(NO_MENTION);
            }
            node = child;
        }
        return node;
    }

    private static long key(int node, int stem) {
        return (long) node << 32 | stem;
    }

    List<Mention> mentions() {
        return mentions;
    }

    boolean isEmpty() {
        return mentions.isEmpty();
    }

    /** All mentions that occur in a document, by their start and then their length. */
    List<Occurrence> occurrences(int[] document) {
        List<Occurrence> found = new ArrayList<>();
        for (int start = 0; start < document.length; start++) {
            Integer node = ROOT;
            for (int end = start; end < document.length; end++) {
                int stem = stemOf[document[end]];
                node = stem == DescriptionIndex.UNKNOWN ? null : children.get(key(node, stem));
                if (node == null) {
                    break;
                }
                int mention = mentionAt.get(node);
                if (mention != NO_MENTION) {
                    found.add(new Occurrence(mention, start, end + 1));
                }
            }
        }
        return found;
    }

    /** The labels that the mentions in a document are evidence of, ascending. */
    List<MentionMatch> matches(int[] document) {
        return MentionMatch.of(this, occurrences(document), Map.of());
    }

    /**
     * The same for a training document as if it were new: neither its text nor its gold evidence counts, and phrases that are
     * marked in no other document are not mentions.
     */
    List<MentionMatch> matchesOfOthers(Dataset documents, int document) {
        List<Occurrence> occurrences = occurrences(documents.tokens(document));
        Map<Integer, Set<Integer>> ownLabels = ownLabels(occurrences, documents, document);
        return MentionMatch.of(
                this,
                occurrences.stream()
                        .filter(occurrence -> {
                            boolean isOwn = !ownLabels
                                    .getOrDefault(occurrence.mention(), Set.of())
                                    .isEmpty();
                            return mentions.get(occurrence.mention()).marked() > (isOwn ? 1 : 0);
                        })
                        .toList(),
                ownLabels);
    }

    /** The labels that a training document itself marks each mention for. */
    private Map<Integer, Set<Integer>> ownLabels(List<Occurrence> occurrences, Dataset documents, int document) {
        int[] tokens = documents.tokens(document);
        Map<List<Integer>, Set<Integer>> own = new HashMap<>();
        for (TokenEvidence evidence : documents.evidence(document)) {
            own.computeIfAbsent(stems(stemOf, tokens, evidence), key -> new TreeSet<>())
                    .add(evidence.label());
        }
        Map<Integer, Set<Integer>> ownLabels = new HashMap<>();
        for (Occurrence occurrence : occurrences) {
            List<Integer> stems = Arrays.stream(
                            mentions.get(occurrence.mention()).stems())
                    .boxed()
                    .toList();
            ownLabels.put(occurrence.mention(), own.getOrDefault(stems, Set.of()));
        }
        return ownLabels;
    }

    /** All occurrences of mentions in a document with their counts, by their start and then their length. */
    List<Sighting> sightings(int[] document) {
        return occurrences(document).stream()
                .map(occurrence ->
                        Sighting.exact(mentions.get(occurrence.mention()), occurrence.start(), occurrence.end()))
                .toList();
    }

    /** The same for a training document as if it were new. */
    List<Sighting> sightingsOfOthers(Dataset documents, int document) {
        List<Occurrence> occurrences = occurrences(documents.tokens(document));
        Map<Integer, Set<Integer>> ownLabels = ownLabels(occurrences, documents, document);
        return occurrences.stream()
                .map(occurrence -> Sighting.exact(
                        mentions.get(occurrence.mention())
                                .without(ownLabels.getOrDefault(occurrence.mention(), Set.of())),
                        occurrence.start(),
                        occurrence.end()))
                .filter(sighting -> sighting.mention().marked() > 0)
                .toList();
    }

    /** How strongly each token of a document belongs to a mention of the label: its probability, 0 without a mention. */
    float[] weights(int[] document, int label) {
        float[] weights = new float[document.length];
        for (Occurrence occurrence : occurrences(document)) {
            Mention mention = mentions.get(occurrence.mention());
            int at = Arrays.binarySearch(mention.labels(), label);
            if (at >= 0) {
                float share = (float) MentionMatch.probability(mention.counts()[at], mention.documents());
                for (int i = occurrence.start(); i < occurrence.end(); i++) {
                    weights[i] = Math.max(weights[i], share);
                }
            }
        }
        return weights;
    }
}
