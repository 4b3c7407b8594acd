package org.plant4j.text;

import java.util.Set;
import java.util.TreeSet;

/** Words with and without a regular plural ending of English, which many names in other languages have too. */
public final class PluralForms {

    private PluralForms() {}

    /** A word without a plural s: theories → theory, models → model, mass → mass. */
    public static String stem(String word) {
        int length = word.length();
        if (length > 4 && word.endsWith("ies")) {
            return word.substring(0, length - 3) + "y";
        }
        return length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.substring(0, length - 1) : word;
    }

    /** The word, its stem and the regular plurals that have this stem. */
    public static Set<String> of(String word) {
        String stem = stem(word);
        Set<String> forms = new TreeSet<>(Set.of(word));
        forms.add(stem);
        if (stem.endsWith("y")) {
            forms.add(stem.substring(0, stem.length() - 1) + "ies");
        }
        forms.add(stem + "s");
        forms.removeIf(form -> !stem(form).equals(stem));
        return forms;
    }
}
