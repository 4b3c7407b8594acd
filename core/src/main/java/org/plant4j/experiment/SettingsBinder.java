package org.plant4j.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.plant4j.model.ModelRegistry;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;

/** Turns a tree of settings into a record, and what does not fit into a message in the file's own words. */
public final class SettingsBinder {

    private SettingsBinder() {}

    /** The record that the tree describes; every key must be known, and none may be missing. */
    public static <T> T bind(ObjectNode tree, Class<T> type, String where) {
        try {
            return ExperimentFile.YAML.treeToValue(tree, type);
        } catch (UnrecognizedPropertyException e) {
            List<String> known = e.getKnownPropertyIds().stream()
                    .map(String::valueOf)
                    .sorted()
                    .toList();
            throw new UserError(
                    "There is no setting '" + path(e) + "'", where, DidYouMean.remedy(e.getPropertyName(), known), e);
        } catch (InvalidTypeIdException e) {
            throw unknownKind(e, where);
        } catch (JsonMappingException e) {
            if (e.getCause() instanceof UserError inner) {
                String place = inner.where().startsWith(path(e)) ? inner.where() : path(e) + " " + inner.where();
                throw new UserError(inner.what(), where + ", " + place, inner.remedy(), e);
            }
            throw unfit(e, where);
        } catch (JsonProcessingException e) {
            throw new UserError(e.getOriginalMessage(), where, "mend the YAML", e);
        }
    }

    private static UserError unknownKind(InvalidTypeIdException e, String where) {
        String place = path(e);
        if (place.equals("vectors")) {
            return new UserError(
                    "There is no method '" + e.getTypeId() + "'", where + ", vectors", "use ppmi or cbow", e);
        }
        if (place.equals("model.encoder")) {
            return new UserError(
                    e.getTypeId() == null
                            ? "Setting 'model.encoder.type': it is missing"
                            : "There is no encoder type '" + e.getTypeId() + "'",
                    where,
                    "use bilstm, convolutions, awd-lstm or bert",
                    e);
        }
        return new UserError(
                e.getTypeId() == null
                        ? "Setting 'model.type': it is missing"
                        : "There is no model type '" + e.getTypeId() + "'",
                where,
                DidYouMean.remedy(e.getTypeId() == null ? "" : e.getTypeId(), ModelRegistry.names()),
                e);
    }

    private static String path(JsonMappingException e) {
        return e.getPath().stream()
                .map(part -> part.getFieldName() == null ? "[" + part.getIndex() + "]" : part.getFieldName())
                .collect(Collectors.joining("."));
    }

    /** A setting that is missing, of the wrong kind, or out of its bounds. */
    private static UserError unfit(JsonMappingException e, String where) {
        String setting = "Setting '" + path(e) + "': ";
        if (e.getCause() instanceof IllegalArgumentException bounds) {
            return new UserError(
                    setting + inSnakeCase(bounds.getMessage()), where, "choose a value that is allowed", e);
        }
        if (e.getOriginalMessage().startsWith("Missing")
                || e.getOriginalMessage().startsWith("Null value")) {
            return new UserError(
                    setting + "it is missing",
                    where,
                    "set it in the file, or extend a packaged base that does: `extends: laat`",
                    e);
        }
        Class<?> type = e instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        String value = e instanceof InvalidFormatException format ? "'" + format.getValue() + "'" : "what it holds";
        return new UserError(setting + value + " does not fit", where, "give it " + kind(type), e);
    }

    private static String kind(@Nullable Class<?> type) {
        if (type == int.class || type == long.class) {
            return "a whole number";
        }
        if (type == double.class) {
            return "a number";
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
        return type == String.class ? "a text" : "settings of its own, indented below it";
    }

    /** Records say {@code minCount: 0 (expected: >= 1)}; the file says {@code min_count}. */
    private static String inSnakeCase(@Nullable String message) {
        return Pattern.compile("(?<=[a-z])[A-Z](?=[A-Za-z]*:)")
                .matcher(String.valueOf(message))
                .replaceAll(match -> "_" + match.group().toLowerCase(Locale.ROOT));
    }
}
