package org.plant4j.models;

import java.util.Optional;
import org.plant4j.nn.BertEncoder;

/** A network that reads with one of the encoders. */
public interface EncodedConfig extends NetworkConfig {

    EncoderConfig encoder();

    @Override
    default int embedding() {
        return encoder().embedding();
    }

    @Override
    default Optional<BertEncoder.Config> bert() {
        return encoder().bert();
    }
}
