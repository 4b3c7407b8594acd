package org.plant4j.support;

import java.nio.file.Path;
import java.util.Optional;

/** The directory of files that are extracted once per user. It can be deleted at any time. */
public final class UserCache {

    private UserCache() {}

    /** Where the system property {@code plant4j.cache} or the variable PLANT4J_CACHE says, otherwise in the home directory. */
    public static Path directory() {
        return Optional.ofNullable(System.getProperty("plant4j.cache"))
                .or(() -> Optional.ofNullable(System.getenv("PLANT4J_CACHE")))
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache", "plant4j"));
    }
}
