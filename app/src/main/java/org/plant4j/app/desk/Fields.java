package org.plant4j.app.desk;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.plant4j.Nearest;

/** The fields of a JSON object, taken one by one; what is missing or of another kind is told with its place. */
record Fields(JsonNode json, String where) {

    private static final int LONGEST_NAME = 40;

    Fields {
        if (!json.isObject()) {
            throw Problem.senseless("This is not an object", where, "send {…}");
        }
    }

    static Fields of(JsonNode body) {
        return new Fields(body, "body");
    }

    /** Refuses fields of other names: a misspelt one would else be ignored in silence. */
    Fields only(String... names) {
        Set<String> known = Set.of(names);
        for (Iterator<String> all = json.fieldNames(); all.hasNext(); ) {
            String name = all.next();
            if (!known.contains(name) && name.length() > LONGEST_NAME) {
                throw Problem.senseless("There is an unknown field", where, "send " + String.join(", ", names));
            }
            if (!known.contains(name)) {
                throw Problem.senseless("There is an unknown field", at(name), Nearest.remedy(name, List.of(names)));
            }
        }
        return this;
    }

    boolean has(String name) {
        return json.hasNonNull(name);
    }

    String text(String name) {
        return optionalText(name)
                .orElseThrow(() -> Problem.senseless("A field is missing", at(name), "give it, as a string"));
    }

    Optional<String> optionalText(String name) {
        if (!has(name)) {
            return Optional.empty();
        }
        JsonNode value = json.get(name);
        if (!value.isTextual()) {
            throw Problem.senseless("This is not a string", at(name), "send a string");
        }
        return Optional.of(storable(value.asText(), at(name)));
    }

    /** Neither half a character nor a NUL can be stored and read back everywhere. */
    private static String storable(String text, String where) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            boolean pair = Character.isHighSurrogate(character)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (character == 0 || (Character.isSurrogate(character) && !pair)) {
                throw Problem.senseless(
                        character == 0 ? "There is a NUL in the text" : "There is half a character in the text",
                        where + ", character " + i,
                        "send plain text");
            }
            i += pair ? 1 : 0;
        }
        return text;
    }

    int integer(String name, int least, int most) {
        JsonNode value = json.path(name);
        if (!value.isInt() || value.asInt() < least || value.asInt() > most) {
            throw Problem.senseless(
                    "This is not a whole number from " + least + " to " + most, at(name), "send one in that range");
        }
        return value.asInt();
    }

    int integer(String name, int least, int most, int otherwise) {
        return has(name) ? integer(name, least, most) : otherwise;
    }

    double probability(String name) {
        JsonNode value = json.path(name);
        if (!value.isNumber() || !(value.asDouble() >= 0 && value.asDouble() <= 1)) {
            throw Problem.senseless("This is not a probability", at(name), "send a number from 0 to 1");
        }
        return value.asDouble();
    }

    /** One of the constants, written in lower case. */
    <E extends Enum<E>> E choice(String name, Class<E> kind) {
        String word = text(name);
        List<String> words = new ArrayList<>();
        for (E constant : kind.getEnumConstants()) {
            String written = constant.name().toLowerCase(Locale.ROOT);
            if (written.equals(word)) {
                return constant;
            }
            words.add(written);
        }
        throw Problem.senseless("This is none of the words allowed", at(name), "use " + String.join(", ", words));
    }

    Fields object(String name) {
        if (!has(name)) {
            throw Problem.senseless("A field is missing", at(name), "give it, as an object");
        }
        return new Fields(json.get(name), at(name));
    }

    /** The objects of an array, none where the field is absent. */
    List<Fields> objects(String name, int most) {
        if (!has(name)) {
            return List.of();
        }
        JsonNode array = json.get(name);
        if (!array.isArray()) {
            throw Problem.senseless("This is not an array", at(name), "send […]");
        }
        if (array.size() > most) {
            throw new Problem(Problem.TOO_LARGE, "These are more than " + most, at(name), "send fewer");
        }
        List<Fields> all = new ArrayList<>();
        for (JsonNode each : array) {
            all.add(new Fields(each, at(name) + "[" + all.size() + "]"));
        }
        return all;
    }

    String at(String name) {
        return where.equals("body") ? name : where + "." + name;
    }
}
