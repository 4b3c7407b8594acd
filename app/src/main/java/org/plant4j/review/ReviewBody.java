package org.plant4j.review;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;

/** The JSON form in which a review is stored. Exceptions have no cause, because its message may quote a document. */
final class ReviewBody {

    /** Escapes to ASCII, so that every database stores any text unchanged, including unpaired surrogates and NUL. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .addModule(new Jdk8Module())
            .build();

    private ReviewBody() {}

    static Review parse(String body) {
        try {
            Review review = JSON.readValue(body, Review.class);
            if (review == null) {
                throw new IllegalArgumentException("the review is null");
            }
            return review;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not the JSON of a review");
        }
    }

    static String write(Review review) {
        try {
            return JSON.writeValueAsString(review);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a review cannot be written as JSON");
        }
    }
}
