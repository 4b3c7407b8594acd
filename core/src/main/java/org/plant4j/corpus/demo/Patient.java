package org.plant4j.corpus.demo;

import java.util.List;
import java.util.Optional;
import org.plant4j.corpus.demo.Condition.Sex;

/** A patient of one admission with all conditions, the reason for admission first. */
record Patient(int age, Sex sex, List<Condition> conditions) {

    Patient {
        conditions = List.copyOf(conditions);
    }

    Condition principal() {
        return conditions.get(0);
    }

    List<Condition> others() {
        return conditions.subList(1, conditions.size());
    }

    /** Whether the patient has neither this condition nor one that excludes it, so that a mention of it is never evidence. */
    boolean isFreeOf(Condition condition) {
        return conditions.stream().noneMatch(own -> own.excludes(condition));
    }

    /** The first abnormal finding of that name among the patient's conditions. */
    Optional<Template> finding(String key) {
        return conditions.stream()
                .flatMap(condition -> condition.finding(key).stream())
                .findFirst();
    }
}
