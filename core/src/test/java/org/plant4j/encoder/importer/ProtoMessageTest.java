package org.plant4j.encoder.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;

class ProtoMessageTest {

    private static final byte[] MESSAGE = new ProtoBytes()
            .number(1, 150)
            .text(2, "pulmón")
            .fixed32(3, 1.5f)
            .message(4, new ProtoBytes().number(1, 7))
            .number(5, 1)
            .bytes(5, new byte[] {2, (byte) 0xac, 2})
            .number(6, -1)
            .number(1, 151)
            .toBytes();

    private static ProtoMessage proto(byte[] bytes) {
        return new ProtoMessage(ByteBuffer.wrap(bytes), Path.of("model.bin"));
    }

    @Test
    void fieldsOfEachTypeAreRead() {
        ProtoMessage message = proto(MESSAGE);
        assertThat(message.text(2)).isEqualTo("pulmón");
        assertThat(message.field(3))
                .hasValueSatisfying(field -> assertThat(field.asFloat()).isEqualTo(1.5f));
        assertThat(message.field(4))
                .hasValueSatisfying(
                        field -> assertThat(field.message().number(1, 0)).isEqualTo(7));
        assertThat(message.number(6, 0)).isEqualTo(-1);
        assertThat(message.number(9, 42)).isEqualTo(42);
    }

    @Test
    void theLastOccurrenceOfAFieldCounts() {
        assertThat(proto(MESSAGE).number(1, 0)).isEqualTo(151);
    }

    @Test
    void packedAndSingleIntegersFormOneList() {
        List<Long> numbers = new ArrayList<>();
        proto(MESSAGE).fields(5).forEach(field -> field.longs(numbers::add));
        assertThat(numbers).containsExactly(1L, 2L, 300L);
    }

    @Test
    void bytesKeepTheirOffsetInTheFile() {
        // The text follows 08 96 01 and 12 07.
        assertThat(proto(MESSAGE).field(2).orElseThrow().bytes().position()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 15, 20})
    void aTruncatedFileIsAUserError(int length) {
        assertThatThrownBy(() -> proto(Arrays.copyOf(MESSAGE, length)).fields(1))
                .isInstanceOf(UserError.class);
    }

    @Test
    void textIsNotAMessage() {
        assertThatThrownBy(
                        () -> proto(new byte[] {'<', 'h', 't', 'm', 'l', '>'}).fields(1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("model.bin");
    }
}
