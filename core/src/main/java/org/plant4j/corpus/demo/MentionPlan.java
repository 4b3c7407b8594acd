package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Role;

/** Assigns each condition of a patient to one to three sections of the document, depending on its role. */
final class MentionPlan {

    private static final int MAX_SECTIONS = 3;

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

    private final Map<Section, List<Condition>> sections = new EnumMap<>(Section.class);

    MentionPlan(Patient patient, boolean listsDiagnoses, Random random) {
        for (Section section : Section.values()) {
            sections.put(section, new ArrayList<>());
        }
        for (Condition condition : patient.conditions()) {
            List<Section> candidates =
                    candidates(condition, condition.equals(patient.principal()), listsDiagnoses, random);
            Collections.shuffle(candidates, random);
            candidates.stream()
                    .limit(MAX_SECTIONS)
                    .forEach(section -> at(section).add(condition));
        }
        Collections.shuffle(at(Section.HISTORY), random);
    }

    List<Condition> at(Section section) {
        return sections.getOrDefault(section, List.of());
    }

    private static List<Section> candidates(
            Condition condition, boolean principal, boolean listsDiagnoses, Random random) {
        List<Section> sections = new ArrayList<>();
        boolean acute = condition.role() == Role.ACUTE;
        if (condition.section().isPresent() && random.nextInt(10) < 8) {
            sections.add(condition.section().get());
        } else if (!acute && random.nextInt(10) < 7) {
            sections.add(random.nextInt(3) == 0 ? Section.OPENER : Section.HISTORY);
        }
        if (!sections.contains(Section.COURSE) && (principal || random.nextInt(10) < (acute ? 8 : 3))) {
            sections.add(Section.COURSE);
        }
        if (acute && !principal && random.nextInt(10) < 3) {
            sections.add(Section.PRESENTATION);
        }
        if (listsDiagnoses && random.nextInt(10) < (acute ? 5 : 2)) {
            sections.add(Section.DIAGNOSES);
        }
        if (condition.has(Field.STUDY) && random.nextInt(10) < 5) {
            sections.add(Section.STUDIES);
        }
        return sections;
    }
}
