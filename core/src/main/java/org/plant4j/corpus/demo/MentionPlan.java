package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Role;

/** Where a note speaks of each of the patient's conditions: one to three places, as its role suggests. */
final class MentionPlan {

    private static final int MOST_PLACES = 3;

    enum Section {
        OPENER,
        PRESENTATION,
        HISTORY,
        SOCIAL,
        ALLERGIES,
        STUDIES,
        COURSE,
        DIAGNOSES
    }

    private final Map<Section, List<Condition>> places = new EnumMap<>(Section.class);

    MentionPlan(Patient patient, boolean listsDiagnoses, Random random) {
        for (Section place : Section.values()) {
            places.put(place, new ArrayList<>());
        }
        for (Condition condition : patient.conditions()) {
            List<Section> wanted = candidates(condition, condition.equals(patient.principal()), listsDiagnoses, random);
            Collections.shuffle(wanted, random);
            wanted.stream().limit(MOST_PLACES).forEach(place -> at(place).add(condition));
        }
        Collections.shuffle(at(Section.HISTORY), random);
    }

    List<Condition> at(Section place) {
        return places.getOrDefault(place, List.of());
    }

    private static List<Section> candidates(
            Condition condition, boolean principal, boolean listsDiagnoses, Random random) {
        List<Section> wanted = new ArrayList<>();
        boolean acute = condition.role() == Role.ACUTE;
        if (condition.section().isPresent() && random.nextInt(10) < 8) {
            wanted.add(condition.section().get());
        } else if (!acute && random.nextInt(10) < 7) {
            wanted.add(random.nextInt(3) == 0 ? Section.OPENER : Section.HISTORY);
        }
        if (!wanted.contains(Section.COURSE) && (principal || random.nextInt(10) < (acute ? 8 : 3))) {
            wanted.add(Section.COURSE);
        }
        if (acute && !principal && random.nextInt(10) < 3) {
            wanted.add(Section.PRESENTATION);
        }
        if (listsDiagnoses && random.nextInt(10) < (acute ? 5 : 2)) {
            wanted.add(Section.DIAGNOSES);
        }
        if (condition.has(Field.STUDY) && random.nextInt(10) < 5) {
            wanted.add(Section.STUDIES);
        }
        return wanted;
    }
}
