package org.plant4j.nn;

import java.util.LinkedHashMap;
import java.util.Map;

/** The engine under every network: libtorch. */
public final class Engine {

    private Engine() {}

    /** Facts about the engine in a fixed order; where it cannot be loaded, an entry "error" says why. */
    public static Map<String, String> describe() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("engine", "libtorch");
        return facts;
    }
}
