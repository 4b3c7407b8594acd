package org.plant4j.encoder.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;

class TokenizerFileTest {

    private static final String TOKENS = "\"[PAD]\": 0, \"[UNK]\": 1, \"[CLS]\": 2, \"[SEP]\": 3, \"[MASK]\": 4";

    private static TokenizerFile read(String tokens) throws JsonProcessingException {
        ObjectNode json =
                (ObjectNode) new ObjectMapper().readTree("{\"model\": {\"vocab\": {" + TOKENS + tokens + "}}}");
        return TokenizerFile.of(json, Path.of("tokenizer.json"));
    }

    @Test
    void tokensAreOrderedById() throws JsonProcessingException {
        assertThat(read(", \"tos\": 6").tokens())
                .containsExactly("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "", "tos");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "\"6\"", "6.0", "-1", "4294967302", "2147483647", "[]"})
    void otherIdsThanSmallIntegersAreRejected(String id) {
        assertThatThrownBy(() -> read(", \"tos\": " + id))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("tokenizer.json")
                .hasMessageContaining("no id");
    }
}
