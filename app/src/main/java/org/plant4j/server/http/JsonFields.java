package org.plant4j.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.plant4j.support.DidYouMean;

/** Typed access to the fields of a JSON object. Missing and invalid fields are reported with their path. */
public final class JsonFields {

    /** Longer and blank unknown names are not echoed in the error. */
    private static final int MAX_NAME_LENGTH = 40;

    private static final int MAX_SHORT_TEXT = 200;

    private final JsonNode json;
    private final String path;

    private JsonFields(JsonNode json, String path) {
        if (!json.isObject()) {
            throw ApiException.unprocessable("Not a JSON object", path, "send an object: {…}");
        }
        this.json = json;
        this.path = path;
    }

    public static JsonFields of(JsonNode body) {
        return new JsonFields(body, "body");
    }

    /** Rejects any field that is not listed, so that a misspelt name is not silently ignored. */
    public JsonFields allow(String... names) {
        Set<String> allowed = Set.of(names);
        for (Iterator<String> fields = json.fieldNames(); fields.hasNext(); ) {
            String name = fields.next();
            if (!allowed.contains(name) && (name.isBlank() || name.length() > MAX_NAME_LENGTH)) {
                throw ApiException.unprocessable("Unknown field", path, "use only " + String.join(", ", names));
            }
            if (!allowed.contains(name)) {
                throw ApiException.unprocessable(
                        "Unknown field", pathOf(name), DidYouMean.remedy(name, List.of(names)));
            }
        }
        return this;
    }

    /** The path of this object within the request body. */
    public String path() {
        return path;
    }

    public boolean has(String name) {
        return json.hasNonNull(name);
    }

    public String text(String name) {
        return optionalText(name)
                .orElseThrow(() -> ApiException.unprocessable("Missing field", pathOf(name), "add it as a string"));
    }

    public Optional<String> optionalText(String name) {
        if (!has(name)) {
            return Optional.empty();
        }
        JsonNode value = json.get(name);
        if (!value.isTextual()) {
            throw ApiException.unprocessable("Not a string", pathOf(name), "send a string");
        }
        return Optional.of(requireStorable(value.asText(), pathOf(name)));
    }

    /** A text of at most 200 characters, such as an id or a title. */
    public String shortText(String name) {
        return requireShort(text(name), name);
    }

    public Optional<String> optionalShortText(String name) {
        return optionalText(name).map(text -> requireShort(text, name));
    }

    private String requireShort(String text, String name) {
        if (text.length() > MAX_SHORT_TEXT) {
            throw ApiException.unprocessable(
                    "Longer than " + MAX_SHORT_TEXT + " characters", pathOf(name), "shorten it");
        }
        return text;
    }

    /** Rejects NUL and unpaired surrogates, which not every database can store. */
    private static String requireStorable(String text, String where) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            boolean pair = Character.isHighSurrogate(character)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (character == 0 || (Character.isSurrogate(character) && !pair)) {
                throw ApiException.unprocessable(
                        character == 0
                                ? "The text contains a NUL character"
                                : "The text contains an unpaired surrogate",
                        where + ", character " + i,
                        "remove the character");
            }
            i += pair ? 1 : 0;
        }
        return text;
    }

    public int integer(String name, int minimum, int maximum) {
        JsonNode value = json.path(name);
        if (!value.isInt() || value.asInt() < minimum || value.asInt() > maximum) {
            throw ApiException.unprocessable(
                    "Not an integer from " + minimum + " to " + maximum, pathOf(name), "send an integer in this range");
        }
        return value.asInt();
    }

    public int integer(String name, int minimum, int maximum, int defaultValue) {
        return has(name) ? integer(name, minimum, maximum) : defaultValue;
    }

    public double probability(String name) {
        JsonNode value = json.path(name);
        if (!value.isNumber() || !(value.asDouble() >= 0 && value.asDouble() <= 1)) {
            throw ApiException.unprocessable("Not a probability", pathOf(name), "send a number from 0 to 1");
        }
        return value.asDouble();
    }

    public boolean bool(String name, boolean defaultValue) {
        if (has(name) && !json.get(name).isBoolean()) {
            throw ApiException.unprocessable("Not a boolean", pathOf(name), "send true or false");
        }
        return has(name) ? json.get(name).asBoolean() : defaultValue;
    }

    /** An enum constant by its lower-case name. */
    public <E extends Enum<E>> E choice(String name, Class<E> type) {
        return constant(text(name), pathOf(name), type);
    }

    /** The enum constants of an array; empty if the field is absent. */
    public <E extends Enum<E>> Set<E> choices(String name, Class<E> type) {
        Set<E> constants = EnumSet.noneOf(type);
        for (JsonNode element : array(name, type.getEnumConstants().length)) {
            constants.add(constant(element.asText(), pathOf(name), type));
        }
        return constants;
    }

    private static <E extends Enum<E>> E constant(String value, String where, Class<E> type) {
        List<String> names = new ArrayList<>();
        for (E constant : type.getEnumConstants()) {
            String constantName = constant.name().toLowerCase(Locale.ROOT);
            if (constantName.equals(value)) {
                return constant;
            }
            names.add(constantName);
        }
        throw ApiException.unprocessable("Invalid value", where, "use one of " + String.join(", ", names));
    }

    public JsonFields object(String name) {
        if (!has(name)) {
            throw ApiException.unprocessable("Missing field", pathOf(name), "add it as an object");
        }
        return new JsonFields(json.get(name), pathOf(name));
    }

    /** The objects of an array; empty if the field is absent. */
    public List<JsonFields> objects(String name, int maximum) {
        return elements(name, maximum).stream().map(Supplier::get).toList();
    }

    /** The objects of an array; empty if the field is absent. A supplier rejects an element that is not an object. */
    public List<Supplier<JsonFields>> elements(String name, int maximum) {
        List<Supplier<JsonFields>> elements = new ArrayList<>();
        for (JsonNode element : array(name, maximum)) {
            String where = pathOf(name) + "[" + elements.size() + "]";
            elements.add(() -> new JsonFields(element, where));
        }
        return elements;
    }

    /** The strings of an array; empty if the field is absent. */
    public List<String> texts(String name, int maximum) {
        List<String> texts = new ArrayList<>();
        for (JsonNode element : array(name, maximum)) {
            String where = pathOf(name) + "[" + texts.size() + "]";
            if (!element.isTextual()) {
                throw ApiException.unprocessable("Not a string", where, "send a string");
            }
            texts.add(requireStorable(element.asText(), where));
        }
        return texts;
    }

    /** A day such as 2021-03-01. */
    public Optional<LocalDate> optionalDate(String name) {
        try {
            return optionalText(name).map(LocalDate::parse);
        } catch (DateTimeParseException e) {
            throw ApiException.unprocessable("Not a date", pathOf(name), "send a date such as 2021-03-01");
        }
    }

    /** The elements of an array; none if the field is absent. */
    private Iterable<JsonNode> array(String name, int maximum) {
        if (!has(name)) {
            return List.of();
        }
        JsonNode array = json.get(name);
        if (!array.isArray()) {
            throw ApiException.unprocessable("Not an array", pathOf(name), "send an array: […]");
        }
        if (array.size() > maximum) {
            throw new ApiException(
                    ApiException.TOO_LARGE, "More than " + maximum + " elements", pathOf(name), "send fewer");
        }
        return array;
    }

    /** The path of a field within the request body. */
    public String pathOf(String name) {
        return path.equals("body") ? name : path + "." + name;
    }
}
