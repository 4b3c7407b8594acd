package org.plant4j.model;

import java.util.List;

/**
 * Adds models to the {@link ModelRegistry}. A jar that provides models lists its implementation in
 * {@code META-INF/services/org.plant4j.model.ModelProvider}; it needs a public constructor without parameters.
 */
public interface ModelProvider {

    List<ModelType> models();
}
