package org.plant4j.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;

/** Strict JSON parsing and writing for the API. */
public final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(value.getClass() + " cannot be written as JSON", e);
        }
    }

    public static JsonNode parse(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            if (node.isMissingNode()) {
                throw badRequest("The body is empty", "body");
            }
            return node;
        } catch (JsonProcessingException e) {
            // The message may quote the document, so neither it nor the cause is passed on.
            String where = e.getLocation() == null
                    ? "body"
                    : "line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr();
            throw badRequest("The body is not valid JSON", where);
        }
    }

    private static ApiException badRequest(String what, String where) {
        return new ApiException(
                ApiException.BAD_REQUEST, what, where, "send one JSON value as described in /openapi.json");
    }
}
