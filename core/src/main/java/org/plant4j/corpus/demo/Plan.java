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
final class Plan {

    private static final int MOST_PLACES = 3;

    enum Place {
        OPENER,
        PRESENTATION,
        HISTORY,
        SOCIAL,
        ALLERGIES,
        STUDIES,
        COURSE,
        DIAGNOSES
    }

    private final Map<Place, List<Condition>> places = new EnumMap<>(Place.class);

    Plan(Patient patient, boolean listsDiagnoses, Random random) {
        for (Place place : Place.values()) {
            places.put(place, new ArrayList<>());
        }
        for (Condition condition : patient.conditions()) {
            List<Place> wanted = wanted(condition, condition.equals(patient.principal()), listsDiagnoses, random);
            Collections.shuffle(wanted, random);
            wanted.stream().limit(MOST_PLACES).forEach(place -> at(place).add(condition));
        }
        Collections.shuffle(at(Place.HISTORY), random);
    }

    List<Condition> at(Place place) {
        return places.getOrDefault(place, List.of());
    }

    private static List<Place> wanted(Condition condition, boolean principal, boolean listsDiagnoses, Random random) {
        List<Place> wanted = new ArrayList<>();
        boolean acute = condition.role() == Role.ACUTE;
        if (condition.place().isPresent() && random.nextInt(10) < 8) {
            wanted.add(condition.place().get());
        } else if (!acute && random.nextInt(10) < 7) {
            wanted.add(random.nextInt(3) == 0 ? Place.OPENER : Place.HISTORY);
        }
        if (!wanted.contains(Place.COURSE) && (principal || random.nextInt(10) < (acute ? 8 : 3))) {
            wanted.add(Place.COURSE);
        }
        if (acute && !principal && random.nextInt(10) < 3) {
            wanted.add(Place.PRESENTATION);
        }
        if (listsDiagnoses && random.nextInt(10) < (acute ? 5 : 2)) {
            wanted.add(Place.DIAGNOSES);
        }
        if (condition.has(Field.STUDY) && random.nextInt(10) < 5) {
            wanted.add(Place.STUDIES);
        }
        return wanted;
    }
}
