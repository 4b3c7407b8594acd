package org.plant4j.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import picocli.CommandLine.Option;

/** {@code --json}, for every command that prints results. */
final class JsonOption {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().addModule(new Jdk8Module()).build();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean wanted;

    boolean wanted() {
        return wanted;
    }

    /** A record, map or list as indented JSON. */
    static String text(Object value) {
        return write(MAPPER.writerWithDefaultPrettyPrinter(), value);
    }

    /** The same on one line, for JSON lines. */
    static String line(Object value) {
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
