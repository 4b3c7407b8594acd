package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.plant4j.corpus.codeset.CodeSet;

class ZeroShotLabelsTest {

    private static final CodeSet CODES = CodeSet.of(List.of(
            entry("E11", "", false),
            entry("E11.6", "E11", false),
            entry("E11.65", "E11.6", true),
            entry("E11.69", "E11.6", true),
            entry("E11.9", "E11", true),
            entry("E11.8", "E11", true),
            entry("I10", "", true),
            entry("I11", "", true)));

    private static CodeSet.Entry entry(String code, String parent, boolean valid) {
        return new CodeSet.Entry(code, "of " + code, Optional.of(parent).filter(p -> !p.isEmpty()), valid);
    }

    @Test
    void allSelectsEveryValidCode() {
        assertThat(ZeroShotLabels.CODE_SET.select(CODES, List.of("E11.9")))
                .containsExactly("E11.65", "E11.69", "E11.9", "E11.8", "I10", "I11");
    }

    @Test
    void siblingsShareTheirParent() {
        assertThat(ZeroShotLabels.SIBLINGS.select(CODES, List.of("E11.9"))).containsExactly("E11.9", "E11.8");
        assertThat(ZeroShotLabels.SIBLINGS.select(CODES, List.of("E11.69"))).containsExactly("E11.65", "E11.69");
    }

    @Test
    void aTrainedCodeThatIsNotInTheCodeSetHasSiblings() {
        assertThat(ZeroShotLabels.SIBLINGS.select(CODES, List.of("E11.60"))).containsExactly("E11.65", "E11.69");
    }

    @Test
    void aCodeWithoutParentHasNoSiblings() {
        assertThat(ZeroShotLabels.SIBLINGS.select(CODES, List.of("I10"))).isEmpty();
        assertThat(ZeroShotLabels.NONE.select(CODES, List.of("E11.9"))).isEmpty();
    }
}
