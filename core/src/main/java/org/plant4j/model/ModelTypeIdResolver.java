package org.plant4j.model;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DatabindContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.jsontype.impl.TypeIdResolverBase;
import org.jspecify.annotations.Nullable;

/** Lets Jackson resolve {@code type} with the {@link ModelRegistry}. */
final class ModelTypeIdResolver extends TypeIdResolverBase {

    @Override
    public String idFromValue(Object value) {
        return ModelRegistry.of((ModelConfig) value).name();
    }

    @Override
    public String idFromValueAndType(Object value, Class<?> suggestedType) {
        return idFromValue(value);
    }

    @Override
    public @Nullable JavaType typeFromId(DatabindContext context, String id) {
        return ModelRegistry.find(id)
                .map(type -> context.constructType(type.configClass()))
                .orElse(null);
    }

    @Override
    public JsonTypeInfo.Id getMechanism() {
        return JsonTypeInfo.Id.CUSTOM;
    }
}
