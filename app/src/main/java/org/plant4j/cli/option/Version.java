package org.plant4j.cli.option;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest, or {@code development} when classes are not in a jar. */
public final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"Plant4j " + number()};
    }

    public static String number() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("development");
    }
}
