package org.plant4j.cli.option;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import picocli.CommandLine.Option;

/** {@code --json}, for every command that prints results. */
public final class JsonOption {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().addModule(new Jdk8Module()).build();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean wanted;

    public boolean enabled() {
        return wanted;
    }

    /** A record, map or list as indented JSON. */
    public static String pretty(Object value) {
        return write(MAPPER.writerWithDefaultPrettyPrinter(), value);
    }

    /** The same on one line, for JSON lines. */
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
