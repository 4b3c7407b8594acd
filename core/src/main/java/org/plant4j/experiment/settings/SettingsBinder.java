package org.plant4j.experiment.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.plant4j.UserError;
import org.plant4j.model.ModelRegistry;
import org.plant4j.support.DidYouMean;

/** Binds a tree of settings to a record, and reports errors in terms of the YAML file. */
public final class SettingsBinder {

    private final ObjectNode tree;
    private final Class<?> type;
    private final String where;
    private final List<String> resolvedKeys;

    private SettingsBinder(ObjectNode tree, Class<?> type, String where, List<String> resolvedKeys) {
        this.tree = tree;
        this.type = type;
        this.where = where;
        this.resolvedKeys = resolvedKeys;
    }

    /**
     * Binds the tree; unknown and missing keys are errors.
     *
     * @param resolvedKeys top-level keys that a file may have but the record has not, because they are resolved before
     */
    public static <T> T bind(ObjectNode tree, Class<T> type, String where, List<String> resolvedKeys) {
        SettingsBinder binder = new SettingsBinder(tree, type, where, resolvedKeys);
        try {
            return SettingsTree.YAML.treeToValue(tree, type);
        } catch (UnrecognizedPropertyException e) {
            List<String> known =
                    e.getKnownPropertyIds().stream().map(String::valueOf).toList();
            throw binder.unknownKey(path(e), e.getPropertyName(), known, e);
        } catch (InvalidTypeIdException e) {
            throw binder.unknownType(e);
        } catch (JsonMappingException e) {
            throw binder.explain(e);
        } catch (JsonProcessingException e) {
            throw new UserError(e.getOriginalMessage(), where, "fix the YAML", e);
        }
    }

    private UserError unknownKey(String path, String key, List<String> known, Exception cause) {
        return new UserError(
                "Unknown setting '" + path + "'",
                where,
                DidYouMean.remedy(
                        key,
                        Stream.concat(known.stream(), path.equals(key) ? resolvedKeys.stream() : Stream.empty())
                                .sorted()
                                .toList()),
                cause);
    }

    private UserError unknownType(InvalidTypeIdException e) {
        String path = path(e);
        String key = path.equals("word_vectors") ? "method" : "type";
        String typed = e.getTypeId() == null ? "" : e.getTypeId();
        return new UserError(
                typed.isEmpty()
                        ? "Setting '" + path + "." + key + "' is missing"
                        : "Unknown " + path + "." + key + " '" + typed + "'",
                where,
                typeRemedy(path, typed),
                e);
    }

    private static String typeRemedy(String path, String typed) {
        return switch (path) {
            case "word_vectors" -> "use ppmi or cbow";
            case "model.encoder" -> "use bilstm, convolutions, awd-lstm or bert";
            default -> DidYouMean.remedy(typed, ModelRegistry.names());
        };
    }

    /** Explains a setting that is missing, of the wrong kind, or out of bounds. */
    private UserError explain(JsonMappingException e) {
        String path = path(e);
        if (e.getCause() instanceof UserError inner) {
            String place = inner.where().startsWith(path) ? inner.where() : path + " " + inner.where();
            return new UserError(inner.what(), where + ", " + place, inner.remedy(), e);
        }
        if (e.getCause() instanceof IllegalArgumentException bounds) {
            String message = inSnakeCase(bounds.getMessage());
            String key = message.substring(0, Math.max(0, message.indexOf(':')));
            String separator = node(e.getPath()).has(key) ? "." : ", ";
            return new UserError(
                    "Setting " + path + separator + message, where, "use a value in the expected range", e);
        }
        JsonNode found = node(e.getPath());
        if (found.isNull()
                || e.getOriginalMessage().startsWith("Missing")
                || e.getOriginalMessage().startsWith("Null value")) {
            return misspelt(e)
                    .orElseGet(() -> new UserError(
                            "Setting '" + path + "' is missing",
                            where,
                            "set it, or extend a model that does, for example `extends: laat`",
                            e));
        }
        String value = found.isValueNode() ? "'" + found.asText() + "'" : "its value";
        return new UserError(
                "Setting '" + path + "': " + value + " does not fit", where, "use " + kind(expectedType(e), found), e);
    }

    private static @Nullable Class<?> expectedType(JsonMappingException e) {
        if (e.getCause() instanceof InputCoercionException tooLarge) {
            return tooLarge.getTargetType();
        }
        return e instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
    }

    /** A missing key is often a misspelt one, but Jackson reports the missing key first. */
    private Optional<UserError> misspelt(JsonMappingException e) {
        List<JsonMappingException.Reference> path = new ArrayList<>(e.getPath());
        if (!path.isEmpty()) {
            path.remove(path.size() - 1);
        }
        Class<?> record =
                record(path).orElse(e instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null);
        if (record == null || !record.isRecord() || !(node(path) instanceof ObjectNode object)) {
            return Optional.empty();
        }
        List<String> known = Arrays.stream(record.getRecordComponents())
                .map(SettingsBinder::key)
                .toList();
        String prefix = path.isEmpty() ? "" : join(path) + ".";
        for (String key : (Iterable<String>) object::fieldNames) {
            if (!known.contains(key) && !key.equals("type") && !key.equals("method")) {
                return Optional.of(unknownKey(prefix + key, key, known, e));
            }
        }
        return Optional.empty();
    }

    /** The record at a path, if every component on the way is a record, not an interface such as a model. */
    private Optional<Class<?>> record(List<JsonMappingException.Reference> path) {
        Class<?> record = type;
        for (JsonMappingException.Reference each : path) {
            Optional<Class<?>> next = !record.isRecord()
                    ? Optional.empty()
                    : Arrays.stream(record.getRecordComponents())
                            .filter(component -> key(component).equals(each.getFieldName()))
                            .<Class<?>>map(RecordComponent::getType)
                            .findFirst();
            if (next.isEmpty()) {
                return Optional.empty();
            }
            record = next.get();
        }
        return record.isRecord() ? Optional.of(record) : Optional.empty();
    }

    private static String key(RecordComponent component) {
        return PropertyNamingStrategies.SnakeCaseStrategy.INSTANCE.translate(component.getName());
    }

    private JsonNode node(List<JsonMappingException.Reference> path) {
        JsonNode node = tree;
        for (JsonMappingException.Reference each : path) {
            node = each.getFieldName() == null ? node.path(each.getIndex()) : node.path(each.getFieldName());
        }
        return node;
    }

    private static String path(JsonMappingException e) {
        return join(e.getPath());
    }

    private static String join(List<JsonMappingException.Reference> path) {
        return path.stream()
                .map(each -> each.getFieldName() == null ? "[" + each.getIndex() + "]" : each.getFieldName())
                .collect(Collectors.joining("."));
    }

    private static String kind(@Nullable Class<?> type, JsonNode found) {
        if (type == int.class || type == long.class || type == Integer.class || type == Long.class) {
            return "an integer, such as 5";
        }
        if (type == double.class || type == Double.class) {
            return "a number, such as 0.5 or 1e-3";
        }
        if (type == boolean.class) {
            return "true or false";
        }
        if (type != null && type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant -> String.valueOf(constant).toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        if (type != null && Collection.class.isAssignableFrom(type)) {
            return "a list, such as [a, b]";
        }
        if (type == String.class) {
            return found.isNumber() ? "quotes around the text, such as \"1.10\"" : "text";
        }
        return "a section of settings, indented below it";
    }

    /** Argument checks write {@code minCount: 0 (expected: >= 1)}; the file has {@code min_count}. */
    private static String inSnakeCase(@Nullable String message) {
        return Pattern.compile("(?<=[a-z])[A-Z](?=[A-Za-z]*:)")
                .matcher(String.valueOf(message))
                .replaceAll(match -> "_" + match.group().toLowerCase(Locale.ROOT));
    }
}
