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

/** Draws patients whose conditions go together: frequent ones often, those of one cluster more often together. */
final class PatientSampler {

    private static final int MOST_ACUTE = 5;

    // How much a weight counts at first, for each condition of the same cluster, and for one that is needed.
    private static final int BASE_AFFINITY = 2;
    private static final int CLUSTER_AFFINITY = 2;
    private static final int NEED_AFFINITY = 8;

    private final List<Condition> drawn;
    private final List<Condition> combined;

    PatientSampler(Lexicon lexicon) {
        drawn = lexicon.conditions().stream().filter(c -> c.weight() > 0).toList();
        combined = lexicon.conditions().stream()
                .filter(c -> c.weight() == Condition.COMBINED)
                .toList();
    }

    /** A patient, who has the given condition of the tail if there is one. */
    Patient sample(Random random, Optional<Condition> tail) {
        Draft draft = new Draft(random, tail);
        int size = 4 + random.nextInt(4) + random.nextInt(4);
        while (draft.conditions.size() < size && draft.add(c -> true)) {
            // each turn adds one
        }
        return new Patient(draft.age, draft.sex, combine(draft.conditions));
    }

    /** Coding rules: hypertension becomes hypertensive heart disease beside heart failure, and the like. */
    private List<Condition> combine(List<Condition> conditions) {
        List<Condition> result = new ArrayList<>(conditions);
        for (Condition whole : combined) {
            List<String> parts = whole.from();
            boolean applies = parts.stream().allMatch(part -> result.stream().anyMatch(c -> c.codeStartsWith(part)));
            if (applies) {
                result.replaceAll(c -> c.codeStartsWith(parts.get(0)) ? whole : c);
            }
        }
        return result;
    }

    private final class Draft {
        private final Random random;
        private final Sex sex;
        private final int age;
        private final List<Condition> conditions = new ArrayList<>();
        private final boolean[] possible = new boolean[drawn.size()];
        private final int[] affinity = new int[drawn.size()];

        Draft(Random random, Optional<Condition> tail) {
            this.random = random;
            Sex anySex = random.nextBoolean() ? Sex.F : Sex.M;
            sex = tail.flatMap(Condition::sex).orElse(anySex);
            int anyAge = 27 + random.nextInt(34) + random.nextInt(36);
            Ages ages = tail.map(Condition::ages).orElse(new Ages(18, 97));
            age = ages.include(anyAge) ? anyAge : ages.youngest() + random.nextInt(ages.oldest() - ages.youngest() + 1);
            for (int i = 0; i < possible.length; i++) {
                Condition condition = drawn.get(i);
                possible[i] = condition.ages().include(age)
                        && condition.sex().map(s -> s == sex).orElse(true);
            }
            tail.ifPresent(this::take);
            if (tail.filter(c -> c.has(Field.COMPLAINT)).isEmpty()) {
                boolean found = add(c -> c.has(Field.COMPLAINT) && c.needs().isEmpty());
                if (found && tail.isPresent()) {
                    Collections.reverse(conditions); // the reason for admission comes first
                }
            }
            tail.filter(c -> !c.needs().isEmpty())
                    .ifPresent(c -> add(other -> c.needs().stream().anyMatch(other::codeStartsWith)));
        }

        /** Adds one more condition that fits, by weight; false where none does. */
        boolean add(Predicate<Condition> wanted) {
            boolean roomForAcute =
                    conditions.stream().filter(c -> c.role() == Role.ACUTE).count() < MOST_ACUTE;
            int[] weights = new int[drawn.size()];
            int total = 0;
            for (int i = 0; i < weights.length; i++) {
                Condition condition = drawn.get(i);
                if (possible[i]
                        && (roomForAcute || condition.role() != Role.ACUTE)
                        && wanted.test(condition)
                        && needsAreMet(condition)) {
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
            take(drawn.get(i));
            return true;
        }

        private void take(Condition taken) {
            conditions.add(taken);
            for (int i = 0; i < possible.length; i++) {
                Condition condition = drawn.get(i);
                possible[i] &= !condition.excludes(taken);
                affinity[i] += condition.sharesCluster(taken) ? CLUSTER_AFFINITY : 0;
                affinity[i] += condition.needs().stream().anyMatch(taken::codeStartsWith) ? NEED_AFFINITY : 0;
            }
        }

        private boolean needsAreMet(Condition condition) {
            return condition.needs().isEmpty()
                    || condition.needs().stream()
                            .anyMatch(need -> conditions.stream().anyMatch(c -> c.codeStartsWith(need)));
        }
    }
}
