package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelTasksTest {

    @AfterEach
    void useOneThread() {
        Engine.setThreads(1);
    }

    private static Supplier<Tensor> number(int value, Set<String> threads) {
        return () -> {
            threads.add(Thread.currentThread().getName() + " with " + torch.get_num_threads());
            return torch.ones(2).mul(new Scalar(value));
        };
    }

    @Test
    void tasksUseOneThreadEachAndResultsLiveInTheScopeOfTheCaller() {
        Engine.setThreads(2);
        Set<String> threads = ConcurrentHashMap.newKeySet();
        Tensor first;
        try (PointerScope scope = new PointerScope()) {
            List<Tensor> results = ParallelTasks.compute(Compute.CPU, List.of(number(3, threads), number(4, threads)));
            first = results.get(0);
            assertThat(Golden.values(first)).containsExactly(3, 3);
            assertThat(Golden.values(results.get(1))).containsExactly(4, 4);
            assertThat(first.referenceCount()).isEqualTo(1);
        }
        assertThat(first.isNull()).as("freed with the scope").isTrue();
        assertThat(threads).containsOnly("plant4j-tensor with 1");
        assertThat(torch.get_num_threads()).as("of the caller").isEqualTo(2);
    }

    @Test
    void withOneThreadTheCallerComputes() {
        Engine.setThreads(1);
        Set<String> threads = ConcurrentHashMap.newKeySet();
        try (PointerScope scope = new PointerScope()) {
            ParallelTasks.compute(Compute.CPU, List.of(number(3, threads), number(4, threads)));
        }
        assertThat(threads).containsOnly(Thread.currentThread().getName() + " with 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void everyIndexIsRunOnceWithOneThread(int threads) {
        Engine.setThreads(threads);
        Set<Integer> used = ConcurrentHashMap.newKeySet();
        try (PointerScope scope = new PointerScope()) {
            Tensor counts = torch.zeros(5);
            ParallelTasks.forEach(Compute.CPU, 5, () -> index -> {
                used.add(torch.get_num_threads());
                counts.narrow(0, index, 1).add_(new Scalar(index + 1));
            });
            assertThat(Golden.values(counts)).containsExactly(1, 2, 3, 4, 5);
        }
        assertThat(used).containsExactly(1);
    }

    @Test
    void aFailureIsThrownToTheCaller() {
        Engine.setThreads(2);
        Supplier<Tensor> failing = () -> {
            throw new IllegalStateException("no memory");
        };
        assertThatThrownBy(() ->
                        ParallelTasks.compute(Compute.CPU, List.of(number(1, ConcurrentHashMap.newKeySet()), failing)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no memory");
    }
}
