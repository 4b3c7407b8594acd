package org.plant4j.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.plant4j.model.baseline.Caml;
import org.plant4j.model.baseline.FrequencyPrior;
import org.plant4j.model.baseline.Laat;
import org.plant4j.model.baseline.PooledBert;
import org.plant4j.model.description.DescriptionAttention;
import org.plant4j.model.isd.Isd;
import org.plant4j.model.linear.LinearSvm;
import org.plant4j.model.plant.Plant;
import org.plant4j.model.registry.Ensemble;

/** Which model, and its sizes; {@code type} names it in an experiment file. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Plant.Config.class, name = "plant"),
    @JsonSubTypes.Type(value = Laat.Config.class, name = "laat"),
    @JsonSubTypes.Type(value = Caml.Config.class, name = "caml"),
    @JsonSubTypes.Type(value = DescriptionAttention.Config.class, name = "description-attention"),
    @JsonSubTypes.Type(value = PooledBert.Config.class, name = "pooled-bert"),
    @JsonSubTypes.Type(value = Isd.Config.class, name = "isd"),
    @JsonSubTypes.Type(value = LinearSvm.Config.class, name = "linear"),
    @JsonSubTypes.Type(value = FrequencyPrior.Config.class, name = "prior"),
    @JsonSubTypes.Type(value = Ensemble.Config.class, name = "average"),
    @JsonSubTypes.Type(value = Ensemble.TrainedConfig.class, name = "trained-average")
})
public interface ModelConfig {}
