package org.plant4j.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** All models by name: those of Plant4j and those that other jars provide through a {@link ModelProvider}. */
public final class ModelRegistry {

    private static final Map<String, ModelType> TYPES = load();

    private ModelRegistry() {}

    private static Map<String, ModelType> load() {
        Map<String, ModelType> types = new LinkedHashMap<>();
        for (ModelProvider provider : ServiceLoader.load(ModelProvider.class, ModelRegistry.class.getClassLoader())) {
            for (ModelType type : provider.models()) {
                if (types.putIfAbsent(type.name(), type) != null) {
                    throw new IllegalStateException("Two models are registered as '" + type.name() + "'");
                }
            }
        }
        return types;
    }

    /** Every registered model, those of Plant4j first. */
    public static List<ModelType> types() {
        return List.copyOf(TYPES.values());
    }

    /** The names that {@code model.type} takes in an experiment. */
    public static List<String> names() {
        return TYPES.values().stream()
                .filter(type -> type.example().isPresent())
                .map(ModelType::name)
                .toList();
    }

    static Optional<ModelType> find(String name) {
        return Optional.ofNullable(TYPES.get(name));
    }

    static ModelType of(ModelConfig config) {
        return TYPES.values().stream()
                .filter(type -> type.configClass() == config.getClass())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no registered model for " + config.getClass().getName()));
    }
}
