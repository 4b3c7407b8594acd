package org.plant4j.model.matching;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.plant4j.text.PluralForms;
import org.plant4j.text.Vocabulary;

/**
 * Groups the tokens of a vocabulary that differ by a plural ending only.
 *
 * @param byToken the id of each token's stem; {@link DescriptionIndex#UNKNOWN} for padding and the unknown token
 * @param count number of stems
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Stems(int[] byToken, int count) {

    static Stems of(Vocabulary vocabulary) {
        Map<String, Integer> ids = new HashMap<>();
        int[] byToken = new int[vocabulary.size()];
        Arrays.fill(byToken, DescriptionIndex.UNKNOWN);
        for (int token = Vocabulary.FIRST_TOKEN; token < byToken.length; token++) {
            String stem = PluralForms.stem(vocabulary.token(token));
            byToken[token] = ids.computeIfAbsent(stem, next -> ids.size());
        }
        return new Stems(byToken, ids.size());
    }
}
