package org.plant4j.cli.option;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine.Option;

/** {@code --commit}: the code that was run. */
public final class CommitOption {

    @Option(
            names = "--commit",
            paramLabel = "HASH",
            description = "Commit of the code that was run (default: that of the working directory).")
    private Optional<String> commit = Optional.empty();

    /** The commit; empty if none is given and the working directory is not a repository. */
    public Optional<String> hash() {
        return commit.or(CommitOption::current);
    }

    private static Optional<String> current() {
        try {
            Process git = new ProcessBuilder("git", "rev-parse", "HEAD")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String hash = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 ? Optional.of(hash) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // git is not installed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
