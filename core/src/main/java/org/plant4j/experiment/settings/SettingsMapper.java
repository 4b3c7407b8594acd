package org.plant4j.experiment.settings;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.Serial;
import java.util.regex.Pattern;

/** Creates the mapper between settings and records. It converts nothing but integers and booleans to text. */
final class SettingsMapper {

    private SettingsMapper() {}

    static ObjectMapper create() {
        YAMLFactory format = YAMLFactory.builder()
                .stringQuotingChecker(new QuotingChecker())
                .build()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .disable(YAMLGenerator.Feature.USE_NATIVE_TYPE_ID) // write `type: laat`, not `!<laat>`
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES);
        return YAMLMapper.builder(format)
                .addModule(new Jdk8Module())
                .addModule(new SimpleModule()
                        .addDeserializer(double.class, new DoubleReader())
                        .addDeserializer(Double.class, new DoubleReader()))
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
                // 1.10 would become the text 1.1
                .withCoercionConfig(
                        LogicalType.Textual,
                        config -> config.setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Integer, CoercionAction.TryConvert)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.TryConvert))
                .withCoercionConfig(
                        LogicalType.Boolean,
                        config -> config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail))
                .build();
    }

    /** Reads finite numbers only; Jackson also accepts the texts NaN and INF. */
    private static final class DoubleReader extends StdScalarDeserializer<Double> {

        @Serial
        private static final long serialVersionUID = 1L;

        DoubleReader() {
            super(double.class);
        }

        @Override
        public Double deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (parser.currentToken().isNumeric() && Double.isFinite(parser.getDoubleValue())) {
                return parser.getDoubleValue();
            }
            return (Double) context.handleUnexpectedToken(double.class, parser);
        }
    }

    /**
     * Quotes texts that would otherwise be read back as a decimal number, null or, for line breaks, with spaces; also texts
     * such as .inf, which other YAML readers take for a number.
     */
    private static final class QuotingChecker extends StringQuotingChecker.Default {

        @Serial
        private static final long serialVersionUID = 1L;

        private static final Pattern NOT_FINITE = Pattern.compile("[-+]?\\.inf|\\.nan", Pattern.CASE_INSENSITIVE);

        /** Characters besides \n that YAML 1.1 reads as line breaks. */
        private static final String LINE_BREAKS = "\r\u0085\u2028\u2029";

        @Override
        public boolean needToQuoteValue(String value) {
            JsonNode plain = SettingsParser.resolve(value);
            return plain.isDouble()
                    || plain.isNull()
                    || NOT_FINITE.matcher(value).matches()
                    || value.chars().anyMatch(c -> LINE_BREAKS.indexOf(c) >= 0)
                    || super.needToQuoteValue(value);
        }
    }
}
