package org.plant4j.models;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Which model, and its sizes; {@code type} names it in an experiment file. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Plant.Config.class, name = "plant"),
    @JsonSubTypes.Type(value = Laat.Config.class, name = "laat"),
    @JsonSubTypes.Type(value = Caml.Config.class, name = "caml"),
    @JsonSubTypes.Type(value = DescriptionAttention.Config.class, name = "description-attention"),
    @JsonSubTypes.Type(value = PooledBert.Config.class, name = "pooled-bert"),
    @JsonSubTypes.Type(value = Isd.Config.class, name = "isd"),
    @JsonSubTypes.Type(value = Linear.Config.class, name = "linear"),
    @JsonSubTypes.Type(value = FrequencyPrior.Config.class, name = "prior"),
    @JsonSubTypes.Type(value = Average.Config.class, name = "average"),
    @JsonSubTypes.Type(value = Average.Trained.class, name = "trained-average")
})
public interface ModelConfig {}
