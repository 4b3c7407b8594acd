package org.plant4j.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {

    private static final JsonMapper JSON = StrictJson.builder().build();

    record Settings(int count, double threshold, String name, List<Float> values) {}

    @Test
    void completeFilesAreRead() throws JsonProcessingException {
        Settings settings = new Settings(3, Double.NaN, "x", List.of(1f, Float.POSITIVE_INFINITY));
        assertThat(JSON.readValue(JSON.writeValueAsString(settings), Settings.class))
                .isEqualTo(settings);
        assertThat(JSON.readValue("{\"count\":3,\"threshold\":1,\"name\":\"\",\"values\":[]}", Settings.class))
                .isEqualTo(new Settings(3, 1, "", List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"threshold\":0.5,\"name\":\"x\",\"values\":[]}", // missing number
                "{\"count\":3,\"name\":\"x\",\"values\":[]}",
                "{\"count\":3,\"threshold\":0.5,\"values\":[]}", // missing text
                "{\"count\":3,\"threshold\":null,\"name\":\"x\",\"values\":[]}",
                "{\"count\":3.0,\"threshold\":0.5,\"name\":\"x\",\"values\":[]}", // not an integer
                "{\"count\":4294967299,\"threshold\":0.5,\"name\":\"x\",\"values\":[]}",
                "{\"count\":\"3\",\"threshold\":0.5,\"name\":\"x\",\"values\":[]}", // text for a number
                "{\"count\":true,\"threshold\":0.5,\"name\":\"x\",\"values\":[]}",
                "{\"count\":3,\"threshold\":\"\",\"name\":\"x\",\"values\":[]}",
                "{\"count\":3,\"threshold\":0.5,\"name\":7,\"values\":[]}", // a number for text
                "{\"count\":3,\"threshold\":0.5,\"name\":\"x\",\"values\":0.5}",
                "{\"count\":3,\"threshold\":0.5,\"name\":\"x\",\"values\":[],\"more\":1}", // unknown key
                "{\"count\":3,\"count\":4,\"threshold\":0.5,\"name\":\"x\",\"values\":[]}", // duplicate key
                "{\"count\":3,\"threshold\":0.5,\"name\":\"x\",\"values\":[]} {}", // trailing content
                "",
                "[]"
            })
    void inexactFilesAreRejected(String json) {
        assertThatThrownBy(() -> JSON.readValue(json, Settings.class)).isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void duplicateKeysOfTreesAreRejected() {
        assertThatThrownBy(() -> JSON.readTree("{\"a\":1,\"a\":2}")).isInstanceOf(JsonProcessingException.class);
    }
}
