package org.plant4j.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;
import org.plant4j.cli.terminal.ErrorHandler;

class ProcessLauncherTest {

    @TempDir
    private Path directory;

    private final StringWriter output = new StringWriter();
    private final List<String> messages = new ArrayList<>();

    /** Prints its options and ends with the exit code of its rank: {@code DIRECTORY CODE,CODE… [CODE,CODE…]}. */
    static final class Member {

        private Member() {}

        public static void main(String[] args) throws IOException {
            int rank = Integer.parseInt(args[args.length - 5]);
            System.out.println("[Gloo] noise");
            System.out.println("rank " + rank + " of " + args[args.length - 3]);
            Path started = Path.of(args[0], "started-" + rank);
            String codes = args[Files.exists(started) && args.length > 8 ? 2 : 1]; // the second start may differ
            Files.writeString(started, "");
            Runtime.getRuntime().halt(Integer.parseInt(codes.split(",", -1)[rank]));
        }
    }

    private int launch(String... codes) {
        List<String> arguments = new ArrayList<>(List.of(directory.toString()));
        arguments.addAll(List.of(codes));
        return new ProcessLauncher(
                        Member.class.getName(),
                        arguments,
                        2,
                        directory.resolve("logs"),
                        new PrintWriter(output),
                        messages::add)
                .run(() -> false);
    }

    @Test
    void theFirstProcessPrintsAndTheOthersLog() throws IOException {
        assertThat(launch("0,0")).isZero();
        assertThat(output.toString().lines()).containsExactly("rank 0 of 2");
        assertThat(Files.readString(directory.resolve("logs/rank-1.txt"))).contains("rank 1 of 2");
    }

    @Test
    void aCrashStartsAllProcessesAgainOnce() {
        assertThat(launch("75,137", "0,0")).isZero();
        assertThat(messages)
                .containsExactly(
                        "Process 1 of 2 ended with code 137; starting all processes again from the last checkpoint");
        assertThatThrownBy(() -> launch("75,137", "75,137"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Process 1 of 2 ended with code 137")
                .hasMessageContaining("rank-1.txt");
    }

    @Test
    void anErrorOfTheFirstProcessIsTheExitCode() {
        assertThat(launch("2,75")).isEqualTo(ErrorHandler.EXIT_USER_ERROR);
        assertThat(messages).isEmpty();
    }

    @Test
    void anErrorOfAnotherProcessNamesItsLog() {
        assertThatThrownBy(() -> launch("75,2"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Process 1 of 2 ended with code 2")
                .hasMessageContaining("rank-1.txt");
    }

    @Test
    void eachProcessGetsAGpu() {
        assertThat(Gpus.visible(Optional.empty(), 2)).contains(List.of("0", "1"));
        assertThat(Gpus.visible(Optional.of("3, GPU-7"), 8)).contains(List.of("3", "GPU-7"));
        assertThat(Gpus.visible(Optional.of(""), 8)).isEmpty();
        assertThat(Gpus.visible(Optional.empty(), 0)).isEmpty();
    }
}
