package org.plant4j.translation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Pairs the sentences of a text with those of its translation, which are in the same order. A pair is likely if its sentences
 * have numbers and similarly spelt words in common and are about equally long; one to three sentences may be the translation
 * of one, and some may have no translation. Dynamic programming finds the best alignment.
 *
 * <p>Gale, Church: A Program for Aligning Sentences in Bilingual Corpora, Computational Linguistics 19, 1993, with the words in
 * common of Simard, Foster, Isabelle: Using Cognates to Align Sentences in Bilingual Corpora, TMI 1992.
 */
final class SentenceAligner {

    private static final Pattern END = Pattern.compile("\\R+|(?<=[.;:!?])\\s+");
    private static final Pattern ANCHOR = Pattern.compile("\\d+(?:[.,]\\d+)*|\\p{L}[\\p{L}\\p{M}]*");
    private static final int ANCHOR_LENGTH = 5; // letters of a word that cognates have in common

    private static final double UNEQUAL = 0.7; // penalty of a difference in length of one standard deviation
    private static final double MERGED = 0.7; // penalty of several sentences on one side
    private static final double ALONE = 1.5; // penalty of a sentence without translation

    /** Numbers of source and target sentences that may be translations of each other; the order decides between equal ones. */
    private static final int[][] STEPS = {{1, 1}, {1, 0}, {0, 1}, {2, 1}, {1, 2}, {3, 1}, {1, 3}, {2, 2}};

    /** Sentences that are translations of each other. */
    record Aligned(String source, String target) {}

    private record Sentence(String text, Map<String, Integer> anchors, int length) {

        static Sentence of(String text) {
            Map<String, Integer> anchors = new HashMap<>();
            List<String> words = ANCHOR.matcher(text.toLowerCase(Locale.ROOT))
                    .results()
                    .map(MatchResult::group)
                    .toList();
            for (String word : words) {
                if (Character.isDigit(word.charAt(0))) {
                    anchors.merge(word.replace(',', '.'), 1, Integer::sum);
                } else {
                    String spelling = Spelling.of(word);
                    if (spelling.length() >= ANCHOR_LENGTH) {
                        anchors.merge(spelling.substring(0, ANCHOR_LENGTH), 1, Integer::sum);
                    }
                }
            }
            return new Sentence(text, anchors, words.size());
        }
    }

    private final List<Sentence> source;
    private final List<Sentence> target;
    private final double ratio; // target words per source word
    private final int[][] common; // anchors

    private SentenceAligner(List<Sentence> source, List<Sentence> target) {
        this.source = source;
        this.target = target;
        this.ratio = (double) words(target, 0, target.size()) / Math.max(1, words(source, 0, source.size()));
        this.common = new int[source.size()][target.size()];
        for (int i = 0; i < source.size(); i++) {
            for (int j = 0; j < target.size(); j++) {
                common[i][j] = common(source.get(i), target.get(j));
            }
        }
    }

    /** Aligns the sentences of two texts, in order. */
    static List<Aligned> align(String source, String target) {
        return new SentenceAligner(sentences(source), sentences(target)).best();
    }

    private static List<Sentence> sentences(String text) {
        return Arrays.stream(END.split(text))
                .map(Sentence::of)
                .filter(sentence -> sentence.length > 0)
                .toList();
    }

    private static int common(Sentence source, Sentence target) {
        return source.anchors.entrySet().stream()
                .mapToInt(anchor -> Math.min(anchor.getValue(), target.anchors.getOrDefault(anchor.getKey(), 0)))
                .sum();
    }

    private static int words(List<Sentence> sentences, int from, int to) {
        return sentences.subList(from, to).stream().mapToInt(Sentence::length).sum();
    }

    private List<Aligned> best() {
        double[][] scores = new double[source.size() + 1][target.size() + 1];
        int[][] steps = new int[source.size() + 1][target.size() + 1]; // that led here
        for (double[] row : scores) {
            Arrays.fill(row, Double.NEGATIVE_INFINITY);
        }
        scores[0][0] = 0;
        for (int i = 0; i <= source.size(); i++) {
            for (int j = 0; j <= target.size(); j++) {
                for (int step = 0; step < STEPS.length; step++) {
                    int nextI = i + STEPS[step][0];
                    int nextJ = j + STEPS[step][1];
                    if (nextI <= source.size() && nextJ <= target.size()) {
                        double score = scores[i][j] + score(i, nextI, j, nextJ);
                        if (score > scores[nextI][nextJ]) {
                            scores[nextI][nextJ] = score;
                            steps[nextI][nextJ] = step;
                        }
                    }
                }
            }
        }
        List<Aligned> aligned = new ArrayList<>();
        int i = source.size();
        int j = target.size();
        while (i > 0 || j > 0) {
            int[] step = STEPS[steps[i][j]];
            if (step[0] > 0 && step[1] > 0) {
                aligned.add(new Aligned(join(source, i - step[0], i), join(target, j - step[1], j)));
            }
            i -= step[0];
            j -= step[1];
        }
        Collections.reverse(aligned);
        return aligned;
    }

    private double score(int fromI, int toI, int fromJ, int toJ) {
        if (fromI == toI || fromJ == toJ) {
            return -ALONE;
        }
        double expected = ratio * words(source, fromI, toI);
        double length = words(target, fromJ, toJ);
        double score = -UNEQUAL * Math.abs(expected - length) / Math.sqrt(expected + length);
        for (int i = fromI; i < toI; i++) {
            for (int j = fromJ; j < toJ; j++) {
                score += common[i][j];
            }
        }
        return toI - fromI + toJ - fromJ > 2 ? score - MERGED : score;
    }

    private static String join(List<Sentence> sentences, int from, int to) {
        return String.join(
                " ", sentences.subList(from, to).stream().map(Sentence::text).toList());
    }
}
