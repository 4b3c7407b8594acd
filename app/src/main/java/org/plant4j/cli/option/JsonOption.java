package org.plant4j.cli.option;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import picocli.CommandLine.Option;

/** {@code --json}, for commands that print results. */
public final class JsonOption {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().addModule(new Jdk8Module()).build();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean enabled;

    public boolean enabled() {
        return enabled;
    }

    /** Formats a record, map or list as indented JSON. */
    public static String pretty(Object value) {
        return write(MAPPER.writerWithDefaultPrettyPrinter(), value);
    }

    /** Formats a value as one line of JSON. */
    public static String line(Object value) {
        return write(MAPPER.writer(), value);
    }

    private static String write(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(value.getClass() + " cannot be written as JSON", e);
        }
    }
}
