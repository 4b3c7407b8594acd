package org.plant4j.tuning;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.plant4j.support.Sha256;

/** One combination of settings, each {@code key=value}. */
public record Trial(List<String> settings) {

    private static final int ID_LENGTH = 8;

    public Trial {
        settings = List.copyOf(settings);
    }

    Trial with(String key, String value) {
        List<String> extended = new ArrayList<>(settings);
        extended.add(key + "=" + value);
        return new Trial(extended);
    }

    public String value(String key) {
        return settings.stream()
                .filter(setting -> setting.startsWith(key + "="))
                .map(setting -> setting.substring(key.length() + 1))
                .findFirst()
                .orElse("");
    }

    /** A name for the run of this trial, which depends on its settings only: a search that is repeated finds the run. */
    public String id() {
        MessageDigest digest = Sha256.newDigest();
        digest.update(String.join("\n", settings).getBytes(StandardCharsets.UTF_8));
        return Sha256.hex(digest).substring(0, ID_LENGTH);
    }
}
