package org.plant4j.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.plant4j.support.DidYouMean;

/** The fields of a JSON object, taken one by one; what is missing or of another kind is told with its place. */
public record JsonFields(JsonNode json, String path) {

    private static final int MAX_NAME_LENGTH = 40;

    public JsonFields {
        if (!json.isObject()) {
            throw ApiException.unprocessable("This is not an object", path, "send {…}");
        }
    }

    static JsonFields of(JsonNode body) {
        return new JsonFields(body, "body");
    }

    /** Refuses fields of other names: a misspelt one would else be ignored in silence. */
    public JsonFields allow(String... names) {
        Set<String> known = Set.of(names);
        for (Iterator<String> all = json.fieldNames(); all.hasNext(); ) {
            String name = all.next();
            if (!known.contains(name) && name.length() > MAX_NAME_LENGTH) {
                throw ApiException.unprocessable("There is an unknown field", path, "send " + String.join(", ", names));
            }
            if (!known.contains(name)) {
                throw ApiException.unprocessable(
                        "There is an unknown field", pathOf(name), DidYouMean.remedy(name, List.of(names)));
            }
        }
        return this;
    }

    public boolean has(String name) {
        return json.hasNonNull(name);
    }

    public String text(String name) {
        return optionalText(name)
                .orElseThrow(
                        () -> ApiException.unprocessable("A field is missing", pathOf(name), "give it, as a string"));
    }

    public Optional<String> optionalText(String name) {
        if (!has(name)) {
            return Optional.empty();
        }
        JsonNode value = json.get(name);
        if (!value.isTextual()) {
            throw ApiException.unprocessable("This is not a string", pathOf(name), "send a string");
        }
        return Optional.of(requireStorable(value.asText(), pathOf(name)));
    }

    /** Neither half a character nor a NUL can be stored and read back everywhere. */
    private static String requireStorable(String text, String where) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            boolean pair = Character.isHighSurrogate(character)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (character == 0 || (Character.isSurrogate(character) && !pair)) {
                throw ApiException.unprocessable(
                        character == 0 ? "There is a NUL in the text" : "There is half a character in the text",
                        where + ", character " + i,
                        "send plain text");
            }
            i += pair ? 1 : 0;
        }
        return text;
    }

    public int integer(String name, int least, int most) {
        JsonNode value = json.path(name);
        if (!value.isInt() || value.asInt() < least || value.asInt() > most) {
            throw ApiException.unprocessable(
                    "This is not a whole number from " + least + " to " + most, pathOf(name), "send one in that range");
        }
        return value.asInt();
    }

    public int integer(String name, int least, int most, int otherwise) {
        return has(name) ? integer(name, least, most) : otherwise;
    }

    public double probability(String name) {
        JsonNode value = json.path(name);
        if (!value.isNumber() || !(value.asDouble() >= 0 && value.asDouble() <= 1)) {
            throw ApiException.unprocessable("This is not a probability", pathOf(name), "send a number from 0 to 1");
        }
        return value.asDouble();
    }

    /** One of the constants, written in lower case. */
    public <E extends Enum<E>> E choice(String name, Class<E> kind) {
        String word = text(name);
        List<String> words = new ArrayList<>();
        for (E constant : kind.getEnumConstants()) {
            String written = constant.name().toLowerCase(Locale.ROOT);
            if (written.equals(word)) {
                return constant;
            }
            words.add(written);
        }
        throw ApiException.unprocessable(
                "This is none of the words allowed", pathOf(name), "use " + String.join(", ", words));
    }

    public JsonFields object(String name) {
        if (!has(name)) {
            throw ApiException.unprocessable("A field is missing", pathOf(name), "give it, as an object");
        }
        return new JsonFields(json.get(name), pathOf(name));
    }

    /** The objects of an array, none where the field is absent. */
    public List<JsonFields> objects(String name, int most) {
        if (!has(name)) {
            return List.of();
        }
        JsonNode array = json.get(name);
        if (!array.isArray()) {
            throw ApiException.unprocessable("This is not an array", pathOf(name), "send […]");
        }
        if (array.size() > most) {
            throw new ApiException(ApiException.TOO_LARGE, "These are more than " + most, pathOf(name), "send fewer");
        }
        List<JsonFields> all = new ArrayList<>();
        for (JsonNode each : array) {
            all.add(new JsonFields(each, pathOf(name) + "[" + all.size() + "]"));
        }
        return all;
    }

    public String pathOf(String name) {
        return path.equals("body") ? name : path + "." + name;
    }
}
