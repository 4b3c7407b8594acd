package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.plant4j.corpus.demo.Condition.Ages;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Role;
import org.plant4j.corpus.demo.Condition.Sex;

/** Samples patients with plausible combinations of conditions: by weight, and more often from the same cluster. */
final class PatientSampler {

    private static final int MAX_ACUTE = 5;

    // Multipliers of a weight: initially, per condition of the same cluster, and per condition that is needed.
    private static final int BASE_AFFINITY = 2;
    private static final int CLUSTER_AFFINITY = 2;
    private static final int NEED_AFFINITY = 8;

    private final List<Condition> sampled;
    private final List<Condition> combined;

    PatientSampler(Lexicon lexicon) {
        sampled = lexicon.conditions().stream().filter(c -> c.weight() > 0).toList();
        combined = lexicon.conditions().stream()
                .filter(c -> c.weight() == Condition.COMBINED)
                .toList();
    }

    /** Samples a patient, who has the given tail condition, if any. */
    Patient sample(Random random, Optional<Condition> tail) {
        Draft draft = new Draft(random, tail);
        int size = 4 + random.nextInt(4) + random.nextInt(4);
        while (draft.conditions.size() < size && draft.add(c -> true)) {
            // add() has added a condition
        }
        return new Patient(draft.age, draft.sex, combine(draft.conditions));
    }

    /** Applies combination codes: hypertension with heart failure becomes hypertensive heart disease, for example. */
    private List<Condition> combine(List<Condition> conditions) {
        List<Condition> result = new ArrayList<>(conditions);
        for (Condition combination : combined) {
            List<String> parts = combination.relations().combines();
            boolean applies = parts.stream().allMatch(part -> result.stream().anyMatch(c -> c.codeStartsWith(part)));
            if (applies) {
                result.replaceAll(c -> c.codeStartsWith(parts.get(0)) ? combination : c);
            }
        }
        return result;
    }

    private final class Draft {
        private final Random random;
        private final Sex sex;
        private final int age;
        private final List<Condition> conditions = new ArrayList<>();
        private final boolean[] possible = new boolean[sampled.size()];
        private final int[] affinity = new int[sampled.size()];

        Draft(Random random, Optional<Condition> tail) {
            this.random = random;
            Sex anySex = random.nextBoolean() ? Sex.F : Sex.M;
            sex = tail.flatMap(condition -> condition.demographics().sex()).orElse(anySex);
            int anyAge = 27 + random.nextInt(34) + random.nextInt(36);
            Ages ages = tail.map(condition -> condition.demographics().ages()).orElse(new Ages(18, 97));
            age = ages.include(anyAge) ? anyAge : ages.youngest() + random.nextInt(ages.oldest() - ages.youngest() + 1);
            for (int i = 0; i < possible.length; i++) {
                Condition condition = sampled.get(i);
                possible[i] = condition.demographics().include(age, sex);
            }
            tail.ifPresent(this::take);
            if (tail.filter(c -> c.has(Field.COMPLAINT)).isEmpty()) {
                boolean found = add(c -> c.has(Field.COMPLAINT) && c.needs().isEmpty());
                if (found && tail.isPresent()) {
                    Collections.reverse(conditions); // the reason for admission is first
                }
            }
            tail.filter(c -> !c.needs().isEmpty())
                    .ifPresent(c -> add(other -> c.needs().stream().anyMatch(other::codeStartsWith)));
        }

        /** Samples and adds a condition among those that fit; returns false if there are none. */
        boolean add(Predicate<Condition> wanted) {
            boolean acuteAllowed =
                    conditions.stream().filter(c -> c.role() == Role.ACUTE).count() < MAX_ACUTE;
            int[] weights = new int[sampled.size()];
            int total = 0;
            for (int i = 0; i < weights.length; i++) {
                Condition condition = sampled.get(i);
                if (possible[i]
                        && (acuteAllowed || condition.role() != Role.ACUTE)
                        && wanted.test(condition)
                        && needsMet(condition)) {
                    weights[i] = condition.weight() * (BASE_AFFINITY + affinity[i]);
                    total += weights[i];
                }
            }
            if (total == 0) {
                return false;
            }
            int ticket = random.nextInt(total);
            int i = 0;
            while (ticket >= weights[i]) {
                ticket -= weights[i++];
            }
            take(sampled.get(i));
            return true;
        }

        private void take(Condition taken) {
            conditions.add(taken);
            for (int i = 0; i < possible.length; i++) {
                Condition condition = sampled.get(i);
                possible[i] &= !condition.excludes(taken);
                affinity[i] += condition.sharesCluster(taken) ? CLUSTER_AFFINITY : 0;
                affinity[i] += condition.needs().stream().anyMatch(taken::codeStartsWith) ? NEED_AFFINITY : 0;
            }
        }

        private boolean needsMet(Condition condition) {
            return condition.needs().isEmpty()
                    || condition.needs().stream()
                            .anyMatch(need -> conditions.stream().anyMatch(c -> c.codeStartsWith(need)));
        }
    }
}
