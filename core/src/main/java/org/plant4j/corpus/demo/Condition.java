package org.plant4j.corpus.demo;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.plant4j.corpus.demo.MentionPlan.Section;

/** A code of the lexicon: which patients have it, how it relates to other codes, and how documents express it. */
record Condition(
        String code,
        int weight,
        Role role,
        Optional<Section> section,
        Demographics demographics,
        Relations relations,
        Wording wording) {

    /** The weight of a tail code, which is not sampled but assigned to single documents. */
    static final int TAIL = 0;

    /** The weight of a combination code, which replaces a code if others are present. */
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

    /** The phrases that a condition may have besides its names. */
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

    record Ages(int youngest, int oldest) {
        boolean include(int age) {
            return youngest <= age && age <= oldest;
        }
    }

    /** The patients who can have a condition. */
    record Demographics(Ages ages, Optional<Sex> sex) {
        boolean include(int age, Sex patientSex) {
            return ages.include(age)
                    && sex.map(required -> required == patientSex).orElse(true);
        }
    }

    /**
     * Relations to other conditions: {@code clusters} occur together often, {@code groups} exclude each other, one of
     * {@code needs} must be present, and a combination code results from the codes of {@code combines}.
     */
    record Relations(Set<String> clusters, Set<String> groups, List<String> needs, List<String> combines) {
        Relations {
            clusters = Set.copyOf(clusters);
            groups = Set.copyOf(groups);
            needs = List.copyOf(needs);
            combines = List.copyOf(combines);
        }
    }

    /** The templates of a condition; {@code findings} are abnormal values by laboratory test or examination. */
    record Wording(Template names, Map<Field, Template> phrases, Map<String, Template> findings) {
        Wording {
            phrases = Map.copyOf(phrases);
            findings = Map.copyOf(findings);
        }
    }

    List<String> needs() {
        return relations.needs();
    }

    Template names() {
        return wording.names();
    }

    Optional<Template> phrase(Field field) {
        return Optional.ofNullable(wording.phrases().get(field));
    }

    Optional<Template> finding(String key) {
        return Optional.ofNullable(wording.findings().get(key));
    }

    boolean has(Field field) {
        return wording.phrases().containsKey(field);
    }

    boolean isIn(String cluster) {
        return relations.clusters().contains(cluster);
    }

    /** Whether both are in a group, such as types of diabetes, of which a patient has at most one. */
    boolean excludes(Condition other) {
        return !Collections.disjoint(relations.groups(), other.relations.groups());
    }

    boolean sharesCluster(Condition other) {
        return !Collections.disjoint(relations.clusters(), other.relations.clusters());
    }

    boolean codeStartsWith(String prefix) {
        return code.startsWith(prefix);
    }
}
