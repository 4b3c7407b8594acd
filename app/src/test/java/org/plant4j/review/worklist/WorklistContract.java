package org.plant4j.review.worklist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.ReviewQuery;

/** Contract of the worklist in every database: arrival and claims here, coding in the superclass. */
abstract class WorklistContract extends WorklistCodingContract {

    @Test
    void anEncounterIsStoredWithItsDocuments() {
        IncomingEncounter incoming = new IncomingEncounter(
                "Encounter/17", Optional.of(LocalDate.of(2026, 2, 28)), List.of(ADMISSION, DISCHARGE));
        Arrival arrival = worklist.add(incoming, "hl7");
        assertThat(arrival).isEqualTo(new Arrival("Encounter/17", Arrival.Outcome.CREATED, List.of("a", "b"), false));
        assertThat(worklist.documents("Encounter/17")).containsExactly(ADMISSION, DISCHARGE);
        WorklistEntry entry = worklist.find("Encounter/17").orElseThrow();
        assertThat(entry.state()).isEqualTo(EncounterState.OPEN);
        assertThat(entry.documents()).isEqualTo(2);
        assertThat(entry.origin())
                .isEqualTo(new WorklistEntry.Origin("hl7", clock.instant(), Optional.of(LocalDate.of(2026, 2, 28))));
    }

    @Test
    void sendingTheSameAgainChangesNothing() {
        worklist.add(encounter("1", ADMISSION, DISCHARGE), "api");
        assertThat(worklist.add(encounter("1", DISCHARGE), "fhir").outcome()).isEqualTo(Arrival.Outcome.UNCHANGED);
        code("1", "ana", false, ADMISSION, DISCHARGE);
        assertThat(worklist.add(encounter("1", ADMISSION, DISCHARGE), "api").outcome())
                .isEqualTo(Arrival.Outcome.UNCHANGED);
        assertThat(state("1")).isEqualTo(EncounterState.CODED);
    }

    @Test
    void aKnownDocumentWithAnotherTextIsRefusedAndNothingOfTheRequestIsStored() {
        addAdmissions("1");
        SourceDocument changed = new SourceDocument("a", "Admission", "No asthma.");
        assertThatThrownBy(() -> worklist.add(encounter("1", DISCHARGE, changed), "api"))
                .isInstanceOf(WorklistConflict.class)
                .hasMessageContaining("another text");
        assertThat(worklist.documents("1")).containsExactly(ADMISSION);
    }

    @Test
    void invalidEncountersAreRefused() {
        assertThatThrownBy(() -> encounter(" ", ADMISSION)).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> encounter("1")).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> encounter("1", ADMISSION, ADMISSION)).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> encounter("1", new SourceDocument("a", "", "x\0")))
                .isInstanceOf(UserError.class);
        assertThatThrownBy(() -> encounter("1", new SourceDocument("a", "", "x\ud83d")))
                .isInstanceOf(UserError.class);
        assertThatThrownBy(() -> encounter("1", new SourceDocument("a", "", "12.5")))
                .isInstanceOf(UserError.class);
        assertThatThrownBy(() -> encounter("1", new SourceDocument("a", "x\0", "Gout.")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("title");
    }

    @Test
    void longTitlesAreShortenedBetweenCharacters() {
        worklist.add(encounter("1", new SourceDocument("a", "😀".repeat(201), "Gout.")), "hl7");
        worklist.add(encounter("2", new SourceDocument("a", "😀".repeat(200), "Gout.")), "hl7");
        assertThat(worklist.documents("1")).extracting(SourceDocument::title).containsExactly("😀".repeat(199) + "…");
        assertThat(worklist.documents("2")).extracting(SourceDocument::title).containsExactly("😀".repeat(200));
    }

    @Test
    void aClaimKeepsOthersOutUntilItExpires() {
        addAdmissions("1");
        assertThat(worklist.claim("1", ANA).orElseThrow().claim())
                .contains(new WorklistEntry.Claim("ana", clock.now.plus(Worklist.LEASE)));
        assertThat(state("1")).isEqualTo(EncounterState.IN_PROGRESS);
        assertThatThrownBy(() -> worklist.claim("1", BEN)).isInstanceOf(WorklistConflict.class);
        assertThatThrownBy(() -> code("1", "ben", false, ADMISSION)).isInstanceOf(WorklistConflict.class);
        assertThat(visibleTo("ben")).isEmpty();
        assertThat(visibleTo("ana")).containsExactly("1");
        clock.now = clock.now.plus(Worklist.LEASE).minus(Duration.ofSeconds(1));
        worklist.claim("1", ANA); // renews it
        clock.now = clock.now.plusSeconds(2);
        assertThat(visibleTo("ben")).isEmpty();
        clock.now = clock.now.plus(Worklist.LEASE);
        assertThat(state("1")).isEqualTo(EncounterState.OPEN);
        assertThat(worklist.claim("1", BEN)).isPresent();
        assertThatThrownBy(() -> code("1", "ana", false, ADMISSION)).isInstanceOf(WorklistConflict.class);
        assertThat(reviews.list(ReviewQuery.latest(9))).isEmpty();
    }

    @Test
    void claimsAreReleased() {
        addAdmissions("1", "2", "3");
        worklist.claim("1", ANA);
        worklist.claim("2", ANA);
        worklist.claim("3", BEN);
        assertThat(worklist.release("3", "ana")).isFalse();
        assertThat(worklist.releaseAll("ana")).isEqualTo(2);
        assertThat(state("1")).isEqualTo(EncounterState.OPEN);
        assertThat(state("3")).isEqualTo(EncounterState.IN_PROGRESS);
        assertThat(worklist.release("3", "ben")).isTrue();
        assertThat(worklist.claim("4", ANA)).isEmpty();
    }

    @Test
    void theNextEncounterIsTheOldestThatNobodyElseHasClaimed() {
        addAdmissions("1", "2", "3");
        assertThat(worklist.claimNext(ANA, Optional.empty(), false)
                        .orElseThrow()
                        .id())
                .isEqualTo("1");
        assertThat(worklist.claimNext(BEN, Optional.empty(), false)
                        .orElseThrow()
                        .id())
                .isEqualTo("2");
        assertThat(worklist.claimNext(ANA, Optional.empty(), false)
                        .orElseThrow()
                        .id())
                .isEqualTo("1");
        assertThat(worklist.claimNext(ANA, Optional.of("1"), false)
                        .orElseThrow()
                        .id())
                .isEqualTo("3");
        assertThat(worklist.claimNext(ANA, Optional.of("3"), false)
                        .orElseThrow()
                        .id())
                .isEqualTo("1");
        assertThat(worklist.claimNext(BEN, Optional.of("2"), false)).isEmpty();
        assertThat(worklist.claimNext(RITA, Optional.empty(), true)).isEmpty();
        assertThatThrownBy(() -> worklist.claimNext(ANA, Optional.empty(), true))
                .isInstanceOf(WorklistConflict.class);
    }

    @Test
    void noTwoCodersGetTheSameEncounter() throws InterruptedException {
        String[] ids =
                Stream.iterate(1, i -> i + 1).limit(40).map(String::valueOf).toArray(String[]::new);
        addAdmissions(ids);
        Map<String, String> claimed = new ConcurrentHashMap<>();
        Set<String> twice = ConcurrentHashMap.newKeySet();
        List<Thread> coders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Claimant coder = new Claimant("coder" + i, false);
            Thread thread = new Thread(() -> {
                Optional<String> after = Optional.empty();
                for (int n = 0; n < 10; n++) {
                    String id = worklist.claimNext(coder, after, false)
                            .orElseThrow()
                            .id();
                    String before = claimed.put(id, coder.name());
                    if (before != null && !before.equals(coder.name())) {
                        twice.add(id);
                    }
                    after = Optional.of(id);
                }
            });
            coders.add(thread);
            thread.start();
        }
        for (Thread coder : coders) {
            coder.join();
        }
        assertThat(twice).isEmpty();
        assertThat(claimed).hasSize(40);
    }

    @Test
    void countsAndListsByState() {
        addAdmissions("1", "2", "3", "4");
        worklist.claim("2", BEN);
        code("3", "ana", false, ADMISSION);
        code("4", "ben", true, ADMISSION);
        assertThat(worklist.count(Optional.empty()))
                .isEqualTo(Map.of(
                        EncounterState.OPEN, 1,
                        EncounterState.IN_PROGRESS, 1,
                        EncounterState.CODED, 1,
                        EncounterState.SECOND_REVIEW, 1,
                        EncounterState.CLOSED, 0));
        assertThat(worklist.count(Optional.of("ana")))
                .containsEntry(EncounterState.OPEN, 1)
                .containsEntry(EncounterState.IN_PROGRESS, 0)
                .containsEntry(EncounterState.CODED, 1)
                .containsEntry(EncounterState.SECOND_REVIEW, 0);
        assertThat(visibleTo("ana")).containsExactly("1", "3");
        assertThat(worklist.list(new WorklistQuery(
                        9, Optional.of("1"), Optional.of(EncounterState.IN_PROGRESS), Optional.empty(), false)))
                .extracting(WorklistEntry::id)
                .containsExactly("2");
    }

    @Test
    void documentsThatCannotBeCodedTogetherAreRefused() {
        worklist.add(encounter("1", ADMISSION), "hl7");
        int rest = MAX_CHARACTERS - ADMISSION.text().length() - 2; // two line breaks separate documents
        SourceDocument tooLong = new SourceDocument("long", "", "x".repeat(rest + 1));
        assertThatExceptionOfType(WorklistConflict.class)
                .isThrownBy(() -> worklist.add(encounter("1", tooLong), "hl7"))
                .withMessageContaining("more than " + MAX_CHARACTERS + " characters");
        assertThat(worklist.documents("1")).containsExactly(ADMISSION);
        worklist.add(encounter("1", new SourceDocument("long", "", "x".repeat(rest))), "hl7");
        SourceDocument[] many = IntStream.rangeClosed(1, 201)
                .mapToObj(i -> new SourceDocument("d" + i, "", "x"))
                .toArray(SourceDocument[]::new);
        assertThatExceptionOfType(WorklistConflict.class)
                .isThrownBy(() -> worklist.add(encounter("2", many), "fhir"))
                .withMessageContaining("more than 200 documents");
        assertThat(worklist.find("2")).isEmpty();
        worklist.add(encounter("2", Arrays.copyOf(many, 200)), "fhir");
        assertThatExceptionOfType(WorklistConflict.class)
                .isThrownBy(() -> worklist.add(encounter("2", many[200]), "fhir"));
    }
}
