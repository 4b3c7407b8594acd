package org.plant4j.corpus.demo;

import java.util.List;
import java.util.Optional;
import org.plant4j.corpus.demo.Condition.Sex;

/** One admission: who came, with which conditions, the reason for admission first. */
public record Patient(int age, Sex sex, List<Condition> conditions) {

    public Patient {
        conditions = List.copyOf(conditions);
    }

    Condition principal() {
        return conditions.get(0);
    }

    List<Condition> others() {
        return conditions.subList(1, conditions.size());
    }

    /** Whether a note could speak of the condition without meaning the patient's own. */
    boolean isFreeOf(Condition condition) {
        return conditions.stream().noneMatch(own -> own.excludes(condition));
    }

    /** The first abnormal finding of that name among the patient's conditions. */
    Optional<Template> finding(String key) {
        return conditions.stream()
                .filter(condition -> condition.findings().containsKey(key))
                .findFirst()
                .map(condition -> condition.findings().get(key));
    }
}
