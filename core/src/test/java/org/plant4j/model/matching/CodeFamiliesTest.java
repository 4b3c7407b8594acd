package org.plant4j.model.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CodeFamiliesTest {

    @Test
    void codesAreGroupedByTheirParts() {
        CodeFamilies families = new CodeFamilies(List.of("8500/3", "8500/6", "8503/3", "N39.0", "N39.01", "I10"));
        assertThat(CodeFamilies.key("N39.01", CodeFamilies.STEM)).isEqualTo("N390");
        assertThat(CodeFamilies.key("N39.01", CodeFamilies.CATEGORY)).isEqualTo("N39");
        assertThat(CodeFamilies.key("N39.01", CodeFamilies.REST)).isEqualTo("1");
        assertThat(families.count(CodeFamilies.STEM)).isEqualTo(4); // 8500, 8503, N390, I10
        assertThat(families.count(CodeFamilies.CATEGORY)).isEqualTo(3); // 850, N39, I10
        assertThat(families.count(CodeFamilies.REST)).isEqualTo(4); // /3, /6, none, 1
        assertThat(families.family(CodeFamilies.REST, 2)).isEqualTo(families.family(CodeFamilies.REST, 0));
    }

    /** Family 8500 has strengths 0.4 and 0.1, rest /3 has 0.4 and 0.2. */
    @Test
    void featuresCompareALabelWithItsFamilies() {
        CodeFamilies families = new CodeFamilies(List.of("8500/3", "8500/6", "9000/3"));
        FamilyFeatures features = new FamilyFeatures(families, Map.of(0, 0.4, 1, 0.1, 2, 0.2));
        float[] row = new float[1 + FamilyFeatures.SIZE];
        features.write(0, row, 1);
        assertThat(Arrays.copyOfRange(row, 1, 6))
                .containsExactly(0.4f, 0.1f, (float) (0.4 / (0.4 + 0.1 + 0.05)), 1, 0.1f);
        features.write(2, row, 1);
        assertThat(Arrays.copyOfRange(row, 11, 16))
                .containsExactly(0.4f, 0.4f, (float) (0.2 / (0.2 + 0.4 + 0.05)), 0, 0.4f);
        assertThat(features.highest(CodeFamilies.STEM, 1)).isEqualTo(0.4);
    }
}
