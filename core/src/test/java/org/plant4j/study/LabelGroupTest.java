package org.plant4j.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.text.LabelIndex;

class LabelGroupTest {

    private static final LabelIndex LABELS =
            LabelIndex.of(Map.of("428.0", 9, "38.93", 5, "E823.3", 3, "V10.01", 2, "042", 1), 1);

    private static List<String> members(String group) {
        return LABELS.codes().stream()
                .filter(LabelGroup.of(group, LABELS).contains())
                .toList();
    }

    @Test
    void groupsSelectLabels() {
        assertThat(members("all")).hasSize(5);
        assertThat(members("procedures")).containsExactly("38.93");
        assertThat(members("diagnoses")).containsExactly("428.0", "E823.3", "V10.01", "042");
        assertThat(members("top 2")).containsExactly("428.0", "38.93");
        assertThat(members("rare 2")).containsExactly("E823.3", "V10.01"); // 042 has one document only
    }

    @Test
    void aGroupOfAllLabelsIsComplete() {
        assertThat(LabelGroup.of("top 50", LABELS).complete()).isTrue();
        assertThat(LabelGroup.of("top 2", LABELS).complete()).isFalse();
    }

    @Test
    void unknownGroupsAreRejected() {
        assertThatThrownBy(() -> LabelGroup.check("top"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'top'");
    }
}
