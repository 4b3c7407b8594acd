package org.plant4j;

import java.util.List;

/**
 * The attention view that a code uses, of those that all codes share.
 *
 * @param number the view, from 1
 * @param count the number of shared views
 * @param tokens the tokens with the highest attention weights, heaviest first
 */
public record ChosenView(int number, int count, List<String> tokens) {

    /**
     * Copies the tokens.
     *
     * @param number the view, from 1
     * @param count the number of shared views
     * @param tokens the tokens with the highest attention weights, heaviest first
     */
    public ChosenView {
        tokens = List.copyOf(tokens);
    }
}
