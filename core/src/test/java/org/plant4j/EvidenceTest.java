package org.plant4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EvidenceTest {

    private static final JsonMapper JSON =
            JsonMapper.builder().addModule(new Jdk8Module()).build();

    @Test
    void traitsAreWrittenInTheOrderOfTheirConstants() throws JsonProcessingException {
        Evidence evidence = new Evidence(new Span(3, 9), "sepsis", 0.5)
                .withTraits(Set.of(Trait.HISTORICAL, Trait.FAMILY, Trait.NEGATED));
        assertThat(JSON.writeValueAsString(evidence))
                .isEqualTo("{\"start\":3,\"end\":9,\"text\":\"sepsis\",\"weight\":0.5,"
                        + "\"traits\":[\"negated\",\"family\",\"historical\"]}");
    }

    @Test
    void typicalMentionsDoNotContradictTheCode() {
        Evidence evidence = new Evidence(new Span(0, 6), "strain", 1);
        assertThat(evidence.contradicts()).isFalse();
        assertThat(evidence.withTraits(Set.of(Trait.NEGATED)).contradicts()).isTrue();
        assertThat(evidence.withTraits(Set.of(Trait.FAMILY)).contradicts()).isTrue();
        assertThat(evidence.withTraits(Set.of(Trait.HISTORICAL)).contradicts()).isFalse();
        assertThat(evidence.withTraits(Set.of(Trait.NEGATED, Trait.TYPICAL)).contradicts())
                .isFalse();
    }

    @Test
    void aResultHasAReasonOnlyIfTheTextIsOutOfDomain() throws JsonProcessingException {
        assertThat(JSON.writeValueAsString(new CodingResult(DomainCheck.IN_DOMAIN, List.of())))
                .isEqualTo("{\"inDomain\":true,\"suggestions\":[]}");
        DomainCheck foreign = new DomainCheck(false, Optional.of("it is too short"));
        assertThat(JSON.writeValueAsString(new CodingResult(foreign, List.of())))
                .isEqualTo("{\"inDomain\":false,\"reason\":\"it is too short\",\"suggestions\":[]}");
    }
}
