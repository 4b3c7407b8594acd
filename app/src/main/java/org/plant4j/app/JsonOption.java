package org.plant4j.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import picocli.CommandLine.Option;

/** {@code --json}, for every command that prints results. */
final class JsonOption {

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean wanted;

    boolean wanted() {
        return wanted;
    }

    /** A record, map or list as indented JSON. */
    static String text(Object value) {
        JsonMapper mapper = JsonMapper.builder()
                .addModule(new Jdk8Module())
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build();
        try {
            return mapper.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(value.getClass() + " cannot be written as JSON", e);
        }
    }
}
