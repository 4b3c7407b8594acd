package org.plant4j.model;

import java.util.Optional;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderConfig;

/** Settings of an {@link EncoderNetwork}. */
public interface EncoderNetworkConfig extends NetworkConfig {

    EncoderConfig encoder();

    @Override
    default int embedding() {
        return encoder().embedding();
    }

    @Override
    default Optional<BertEncoder.Config> pretrainedEncoder() {
        return encoder().pretrainedEncoder();
    }

    @Override
    default Optional<AwdLstm.Config> languageModel() {
        return encoder().languageModel();
    }
}
