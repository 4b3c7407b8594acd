package org.plant4j.context;

import java.util.List;
import org.plant4j.context.Term.Role;
import org.plant4j.context.TermMatcher.Match;

/**
 * The scopes of the terms of a sentence. A scope ends with the sentence, at a term such as "but", at the end of the
 * parentheses around its term, and before a long list item or one with a verb: "no fever, the X-ray shows an infiltrate".
 */
final class Scopes {

    /** The most words of an item that continues a list. */
    private static final int MAX_ITEM_WORDS = 5;

    private final List<Word> words;
    private final Role[] roles;

    Scopes(List<Word> words, List<Match> matches) {
        this.words = words;
        roles = new Role[words.size()];
        for (Match match : matches) {
            for (int w = match.start(); w < match.end(); w++) {
                roles[w] = match.term().role();
            }
        }
    }

    /** Whether the words {@code first} to {@code last} are in the scope of a term. */
    boolean cover(Match match, int first, int last) {
        return (match.term().isForward() && match.end() <= first && end(match.end(), 1) > last)
                || (match.term().isBackward() && match.start() > last && end(match.start() - 1, -1) < first);
    }

    /** The first word that is not in the scope that starts with a word. */
    private int end(int start, int direction) {
        int depth = 0;
        int at = start;
        while (at >= 0 && at < words.size() && roles[at] != Role.END) {
            depth += depthChange(at, direction);
            if (depth < 0 || (separatesItems(at) && !isItem(at + direction, direction))) {
                break;
            }
            at += direction;
        }
        return at;
    }

    private int depthChange(int word, int direction) {
        return switch (words.get(word).form()) {
            case "(" -> direction;
            case ")" -> -direction;
            default -> 0;
        };
    }

    private boolean separatesItems(int word) {
        return roles[word] == Role.ITEM || words.get(word).form().equals(",");
    }

    private boolean isItem(int start, int direction) {
        int length = 0;
        for (int at = start; at >= 0 && at < words.size(); at += direction) {
            if (separatesItems(at) || roles[at] == Role.BORDER || roles[at] == Role.END) {
                break;
            }
            if (roles[at] == Role.VERB) {
                return false;
            }
            length += words.get(at).isPunctuation() ? 0 : 1;
        }
        return length <= MAX_ITEM_WORDS;
    }
}
