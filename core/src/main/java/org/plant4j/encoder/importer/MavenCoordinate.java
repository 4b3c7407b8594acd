package org.plant4j.encoder.importer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.UserError;

/** A Maven coordinate {@code group:artifact:version}, resolved in the local repository. */
public record MavenCoordinate(String group, String artifact, String version) {

    private static final Pattern FORM = Pattern.compile("([\\w.-]+):([\\w.-]+):([\\w.-]+)");

    /** Empty if the text is not a coordinate, for example a path. */
    public static Optional<MavenCoordinate> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(new MavenCoordinate(matcher.group(1), matcher.group(2), matcher.group(3)))
                : Optional.empty();
    }

    /** The local Maven repository. */
    public static Path localRepository() {
        return Optional.ofNullable(System.getProperty("maven.repo.local"))
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".m2", "repository"));
    }

    public Path jar(Path repository) {
        Path jar = repository
                .resolve(group.replace('.', '/'))
                .resolve(artifact)
                .resolve(version)
                .resolve(artifact + "-" + version + ".jar");
        if (!Files.isRegularFile(jar)) {
            throw new UserError(
                    "The artifact is not in the local Maven repository",
                    jar.toString(),
                    "fetch it: mvn dependency:get -Dartifact=" + this + " -Dtransitive=false");
        }
        return jar;
    }

    @Override
    public String toString() {
        return group + ":" + artifact + ":" + version;
    }
}
