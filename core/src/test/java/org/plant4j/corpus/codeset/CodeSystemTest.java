package org.plant4j.corpus.codeset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodeSystemTest {

    @ParameterizedTest
    @CsvSource({
        "ICD_10_CM, n44.8, N44.8",
        "ICD_10_CM, n448, N44.8",
        "ICD_10_CM, I10, I10",
        "ICD_10_PCS, bw03zzz, BW03ZZZ",
        "ICD_10_PCS, b03, B03-",
        "ICD_9_CM, 4280, 428.0",
        "ICD_9_CM, 024., 024",
        "ICD_9_CM, V1001, V10.01",
        "ICD_9_CM, e8233, E823.3",
        "ICD_9_CM, E823, E823",
        "ICD_9_PROCEDURE, 3893, 38.93",
        "ICD_9_PROCEDURE, 66, 66",
        "ICD_O_3, 8000/6/h, 8000/6/H"
    })
    void codesHaveACanonicalForm(CodeSystem system, String written, String canonical) {
        assertThat(system.canonical(written)).isEqualTo(canonical);
        assertThat(system.canonical(canonical)).isEqualTo(canonical);
    }

    @Test
    void ancestorsFollowFromTheCode() {
        assertThat(ancestors("S72.001A")).containsExactly("S72.001", "S72.00", "S72.0", "S72");
        assertThat(ancestors("428.0")).containsExactly("428");
        assertThat(ancestors("E823.3")).containsExactly("E823");
        assertThat(ancestors("38.93")).containsExactly("38.9", "38");
        assertThat(ancestors("BW03ZZZ")).containsExactly("BW03ZZ", "BW03Z", "BW03", "BW0-");
        assertThat(ancestors("BN20")).containsExactly("BN2-");
        assertThat(ancestors("8140/34/H")).containsExactly("8140/34", "8140/3", "8140");
        assertThat(ancestors("8140/3")).containsExactly("8140");
        assertThat(ancestors("I10")).isEmpty();
        assertThat(ancestors("E823")).isEmpty();
    }

    @Test
    void aCodeOfNoSystemStaysUnchanged() {
        for (String label : List.of("", ".", "/", "a.", "H", "/H", "x/")) {
            assertThat(ancestors(label)).hasSizeLessThan(4);
        }
    }

    private static List<String> ancestors(String code) {
        return CodeSystem.of(code).ancestors(code);
    }
}
