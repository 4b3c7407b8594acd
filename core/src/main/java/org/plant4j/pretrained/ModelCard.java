package org.plant4j.pretrained;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.Interval;
import org.plant4j.calibration.Bands;

/**
 * What a packed model is, how good it is and where it comes from; stored in it as {@code card.json}.
 *
 * @param format of the packed model
 * @param name under which the model is found, such as {@code codiesp-d}
 * @param model type of the model, such as {@code plant}
 * @param sizes documents per split, labels and tokens
 */
public record ModelCard(
        int format,
        String name,
        String model,
        CardText text,
        Map<String, Long> sizes,
        Optional<Quality> quality,
        Optional<CalibrationSummary> calibration,
        Provenance provenance) {

    /** The format that this version writes. */
    public static final int FORMAT = 1;

    /**
     * Metrics on the dev documents, on which the best epoch and the thresholds were chosen.
     *
     * @param metrics of the packed model
     * @param mapInterval 95 % confidence interval of MAP
     * @param mapBeforePacking MAP of the run
     */
    public record Quality(
            long documents, Map<String, Double> metrics, Optional<Interval> mapInterval, double mapBeforePacking) {

        public Quality {
            metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        }
    }

    /**
     * How far probabilities can be trusted, measured on dev by cross-validation.
     *
     * @param eceBefore expected calibration error of the scores
     * @param eceAfter expected calibration error of the probabilities
     */
    public record CalibrationSummary(String method, double eceBefore, double eceAfter, List<Bands.BandMetrics> bands) {

        public CalibrationSummary {
            bands = List.copyOf(bands);
        }
    }

    /**
     * How to make the model again.
     *
     * @param command that trained the run
     * @param commit of the code
     * @param data fingerprint of the corpus and its preprocessing
     * @param weights SHA-256 of the weights before packing; of a model with several networks that of their checksums, one per line
     */
    public record Provenance(
            String command,
            Optional<String> commit,
            long seed,
            Map<String, String> versions,
            Optional<String> data,
            Optional<String> weights) {

        public Provenance {
            versions = Collections.unmodifiableMap(new LinkedHashMap<>(versions));
        }
    }

    public ModelCard {
        model = model.equals("trained-stack") ? "stacked" : model; // the first cards of stacks have the internal name
        sizes = Collections.unmodifiableMap(new LinkedHashMap<>(sizes));
    }
}
