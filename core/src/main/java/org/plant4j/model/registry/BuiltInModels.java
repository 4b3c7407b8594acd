package org.plant4j.model.registry;

import java.util.List;
import org.plant4j.model.ModelProvider;
import org.plant4j.model.ModelType;
import org.plant4j.model.baseline.BiGruNetwork;
import org.plant4j.model.baseline.Caml;
import org.plant4j.model.baseline.DiscNet;
import org.plant4j.model.baseline.DrCaml;
import org.plant4j.model.baseline.EffectiveCan;
import org.plant4j.model.baseline.FrequencyPrior;
import org.plant4j.model.baseline.HaGru;
import org.plant4j.model.baseline.HyperCore;
import org.plant4j.model.baseline.JointLaat;
import org.plant4j.model.baseline.Kept;
import org.plant4j.model.baseline.Laat;
import org.plant4j.model.baseline.MsattKg;
import org.plant4j.model.baseline.Msmn;
import org.plant4j.model.baseline.MultiResCnn;
import org.plant4j.model.baseline.PlmIcd;
import org.plant4j.model.baseline.PooledBert;
import org.plant4j.model.baseline.TextCnn;
import org.plant4j.model.description.DescriptionAttention;
import org.plant4j.model.ensemble.Ensemble;
import org.plant4j.model.ensemble.StackedModel;
import org.plant4j.model.isd.Isd;
import org.plant4j.model.linear.LabelTree;
import org.plant4j.model.linear.LinearSvm;
import org.plant4j.model.linear.LogisticRegression;
import org.plant4j.model.matching.DescriptionMatching;
import org.plant4j.model.plant.Plant;

/** The models of Plant4j. A new one takes one line here; {@code docs/adding-a-model.md} shows the rest. */
public final class BuiltInModels implements ModelProvider {

    @Override
    public List<ModelType> models() {
        return List.of(
                ModelType.of("prior", FrequencyPrior.Config.class, FrequencyPrior.Config::new),
                ModelType.of("linear", LinearSvm.Config.class, () -> LinearSvm.Config.DEFAULTS),
                ModelType.of(
                        "logistic-regression",
                        LogisticRegression.Config.class,
                        () -> LogisticRegression.Config.DEFAULTS),
                ModelType.of("label-tree", LabelTree.Config.class, LabelTree.Config::example),
                ModelType.of(
                        "description-matching", DescriptionMatching.Config.class, DescriptionMatching.Config::example),
                ModelType.of("text-cnn", TextCnn.Config.class, TextCnn.Config::example),
                ModelType.of("bi-gru", BiGruNetwork.Config.class, BiGruNetwork.Config::example),
                ModelType.of("ha-gru", HaGru.Config.class, HaGru.Config::example),
                ModelType.of("caml", Caml.Config.class, Caml.Config::example),
                ModelType.of("dr-caml", DrCaml.Config.class, DrCaml.Config::example),
                ModelType.of("msatt-kg", MsattKg.Config.class, MsattKg.Config::example),
                ModelType.of("multires-cnn", MultiResCnn.Config.class, MultiResCnn.Config::example),
                ModelType.of("hypercore", HyperCore.Config.class, HyperCore.Config::example),
                ModelType.of("effective-can", EffectiveCan.Config.class, EffectiveCan.Config::example),
                ModelType.of("discnet", DiscNet.Config.class, DiscNet.Config::example),
                ModelType.of("laat", Laat.Config.class, Laat.Config::example),
                ModelType.of("joint-laat", JointLaat.Config.class, JointLaat.Config::example),
                ModelType.of("msmn", Msmn.Config.class, Msmn.Config::example),
                ModelType.of("plm-icd", PlmIcd.Config.class, PlmIcd.Config::example),
                ModelType.of("kept", Kept.Config.class, Kept.Config::example),
                ModelType.of("plant", Plant.Config.class, Plant.Config::example),
                ModelType.of(
                        "description-attention",
                        DescriptionAttention.Config.class,
                        DescriptionAttention.Config::example),
                ModelType.of("pooled-bert", PooledBert.Config.class, PooledBert.Config::example),
                ModelType.of("isd", Isd.Config.class, Isd.Config::example),
                ModelType.of("ensemble", Ensemble.Config.class, Ensemble.Config::example),
                ModelType.stored("trained-ensemble", Ensemble.TrainedConfig.class),
                ModelType.of("stacked", StackedModel.Config.class, StackedModel.Config::example),
                ModelType.stored("trained-stack", StackedModel.TrainedConfig.class));
    }
}
