package org.plant4j.train;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/** Base class of objectives: holds the parameters and the current epoch. */
public abstract class AbstractObjective<B> implements Objective<B> {

    private final String name;
    private final Map<String, Tensor> parameters;
    private final List<ParameterGroup> groups;
    private int epoch;

    protected AbstractObjective(String name, Map<String, Tensor> parameters, List<ParameterGroup> groups) {
        this.name = name;
        this.parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        this.groups = List.copyOf(groups);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Map<String, Tensor> parameters() {
        return parameters;
    }

    @Override
    public final List<ParameterGroup> parameterGroups() {
        return groups;
    }

    @Override
    public final List<B> batches(int newEpoch) {
        epoch = newEpoch;
        return batchesOf(newEpoch);
    }

    /** The batches of an epoch; see {@link #batches}. */
    protected abstract List<B> batchesOf(int newEpoch);

    /** The epoch whose batches were requested last. */
    protected final int epoch() {
        return epoch;
    }
}
