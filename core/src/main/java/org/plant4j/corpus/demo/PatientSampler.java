package org.plant4j.corpus.demo;

import java.util.ArrayList;
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
            boolean applies = parts.stream().allMatch(part -> result.stream().anyMatch(c -> c.isA(part)));
            if (applies) {
                result.replaceAll(c -> c.isA(parts.get(0)) ? whole : c);
            }
        }
        return result;
    }

    private final class Draft {
        private final Random random;
        private final Sex sex;
        private final int age;
        private final List<Condition> conditions = new ArrayList<>();

        Draft(Random random, Optional<Condition> tail) {
            this.random = random;
            Sex anySex = random.nextBoolean() ? Sex.F : Sex.M;
            sex = tail.flatMap(Condition::sex).orElse(anySex);
            int anyAge = 27 + random.nextInt(34) + random.nextInt(36);
            Ages ages = tail.map(Condition::ages).orElse(new Ages(18, 97));
            age = ages.include(anyAge) ? anyAge : ages.youngest() + random.nextInt(ages.oldest() - ages.youngest() + 1);
            tail.ifPresent(conditions::add);
            if (tail.filter(c -> c.has(Field.COMPLAINT)).isEmpty()) {
                add(c -> c.has(Field.COMPLAINT) && c.needs().isEmpty());
                if (tail.isPresent() && conditions.size() == 2) {
                    conditions.add(conditions.remove(0)); // the reason for admission comes first
                }
            }
            tail.filter(c -> !c.needs().isEmpty())
                    .ifPresent(c -> add(other -> c.needs().stream().anyMatch(other::isA)));
        }

        /** Adds one more condition that fits, by weight; false where none does. */
        boolean add(Predicate<Condition> wanted) {
            int[] weights = new int[drawn.size()];
            int total = 0;
            for (int i = 0; i < weights.length; i++) {
                Condition condition = drawn.get(i);
                if (wanted.test(condition) && fits(condition)) {
                    weights[i] = condition.weight() * (2 + affinity(condition));
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
            conditions.add(drawn.get(i));
            return true;
        }

        private boolean fits(Condition condition) {
            return condition.ages().include(age)
                    && condition.sex().map(s -> s == sex).orElse(true)
                    && conditions.stream().noneMatch(condition::excludes)
                    && (condition.needs().isEmpty()
                            || condition.needs().stream().anyMatch(this::hasAny))
                    && (condition.role() != Role.ACUTE || acute() < MOST_ACUTE);
        }

        private boolean hasAny(String prefix) {
            return conditions.stream().anyMatch(c -> c.isA(prefix));
        }

        private long acute() {
            return conditions.stream().filter(c -> c.role() == Role.ACUTE).count();
        }

        /** Conditions that need another are drawn with more force once it is there. */
        private int affinity(Condition condition) {
            int shared = condition.needs().isEmpty() ? 0 : 8;
            for (Condition other : conditions) {
                shared += condition.clusters().stream().anyMatch(other.clusters()::contains) ? 2 : 0;
            }
            return shared;
        }
    }
}
