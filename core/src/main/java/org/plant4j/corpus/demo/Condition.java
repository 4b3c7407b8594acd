package org.plant4j.corpus.demo;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.plant4j.corpus.demo.MentionPlan.Section;

/** What the lexicon knows of one code: who gets it, with what, and how notes speak of it. */
public record Condition(
        String code,
        int weight,
        Role role,
        Set<String> clusters,
        Set<String> groups,
        Ages ages,
        Optional<Sex> sex,
        List<String> needs,
        List<String> from,
        Optional<Section> section,
        Template names,
        Map<Field, Template> phrases,
        Map<String, Template> findings) {

    /** How often the sampler draws a code: {@link #TAIL} codes are placed one by one, {@link #COMBINED} ones follow from others. */
    static final int TAIL = 0;

    static final int COMBINED = -1;

    enum Role {
        ACUTE,
        CHRONIC,
        STATUS
    }

    enum Sex {
        F,
        M
    }

    /** The phrases a condition may have besides its names. */
    enum Field {
        HINT,
        COMPLAINT,
        PRESENT,
        COURSE,
        STUDY,
        MED,
        DENY,
        FAMILY,
        PAST
    }

    public record Ages(int youngest, int oldest) {
        boolean include(int age) {
            return youngest <= age && age <= oldest;
        }
    }

    public Condition {
        clusters = Set.copyOf(clusters);
        groups = Set.copyOf(groups);
        needs = List.copyOf(needs);
        from = List.copyOf(from);
        phrases = Map.copyOf(phrases);
        findings = Map.copyOf(findings);
    }

    Optional<Template> phrase(Field field) {
        return Optional.ofNullable(phrases.get(field));
    }

    boolean has(Field field) {
        return phrases.containsKey(field);
    }

    /** Two conditions of one group (two kinds of diabetes, say) never meet in a patient. */
    boolean excludes(Condition other) {
        return !Collections.disjoint(groups, other.groups);
    }

    boolean sharesCluster(Condition other) {
        return !Collections.disjoint(clusters, other.clusters);
    }

    boolean codeStartsWith(String prefix) {
        return code.startsWith(prefix);
    }
}
