package org.plant4j.model.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CodeTreeTest {

    /** Nodes: the six labels, then E11 (6) and E11.6 (7), at which labels branch. I10 is a label itself; E11.65 stops at E11.6. */
    @Test
    void ancestorsAreNodesWhereLabelsBranch() {
        CodeTree tree = CodeTree.of(List.of("E11.9", "E11.65", "E11.69", "I10", "E11.649", "M54.50"));
        assertThat(tree.labels()).isEqualTo(6);
        assertThat(tree.nodes()).isEqualTo(8);
        assertThat(tree.parents()[3]).isEqualTo(-1);
        assertThat(tree.parents()[5]).isEqualTo(-1); // M54 and M54.5 have one child each
        int root = tree.parents()[0];
        int branch = tree.parents()[1];
        assertThat(tree.parents()[2]).isEqualTo(branch);
        assertThat(tree.parents()[4]).isEqualTo(branch); // E11.64 has one child
        assertThat(tree.parents()[branch]).isEqualTo(root);
        assertThat(tree.lineage(4)).containsExactly(4, branch, root);
    }

    @Test
    void aLabelCanBeTheParentOfALabel() {
        assertThat(CodeTree.of(List.of("8140/3", "8140/34")).parents()).containsExactly(-1, 0);
    }

    @Test
    void withoutCodesThereIsNoHierarchy() {
        CodeTree tree = CodeTree.flat(2);
        assertThat(tree.nodes()).isEqualTo(2);
        assertThat(tree.lineage(1)).containsExactly(1);
    }
}
