package org.plant4j.model;

import java.util.Optional;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderConfig;

/** A network that reads with one of the encoders. */
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
}
