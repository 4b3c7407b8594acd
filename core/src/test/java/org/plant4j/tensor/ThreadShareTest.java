package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ThreadShareTest {

    private int before;

    @BeforeEach
    void useFourThreads() {
        Engine.load();
        before = Engine.threads();
        Engine.setThreads(4);
    }

    @AfterEach
    void restore() {
        Engine.setThreads(before);
    }

    @Test
    void aComputationAloneHasAllThreadsAndConcurrentOnesShareThem() {
        try (ThreadShare alone = ThreadShare.open()) {
            assertThat(torch.get_num_threads()).isEqualTo(4);
            assertThat(threadsOfAnother()).isEqualTo(2);
            assertThat(torch.get_num_threads()).as("not changed by the other").isEqualTo(4);
        }
        try (ThreadShare again = ThreadShare.open()) {
            assertThat(torch.get_num_threads()).isEqualTo(4);
        }
    }

    @Test
    void everyComputationHasAtLeastOneThread() {
        Engine.setThreads(1);
        try (ThreadShare alone = ThreadShare.open()) {
            assertThat(threadsOfAnother()).isEqualTo(1);
        }
    }

    private static int threadsOfAnother() {
        return CompletableFuture.supplyAsync(() -> {
                    try (ThreadShare other = ThreadShare.open()) {
                        return torch.get_num_threads();
                    }
                })
                .join();
    }
}
