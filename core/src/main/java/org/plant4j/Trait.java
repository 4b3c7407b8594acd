package org.plant4j;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The context of a mention in which it does not, or may not, describe the patient's present condition. */
public enum Trait {
    /** "no evidence of pneumonia" */
    @JsonProperty("negated")
    NEGATED,
    /** "mother had breast cancer" */
    @JsonProperty("family")
    FAMILY,
    /** "return if fever develops", "rule out sepsis" */
    @JsonProperty("hypothetical")
    HYPOTHETICAL,
    /** "history of stroke in 2010" */
    @JsonProperty("historical")
    HISTORICAL,
    /** A mention that is negated or about relatives, with which training documents have the code: "EEG without discharges" */
    @JsonProperty("typical")
    TYPICAL;

    /**
     * The name used in files and the REST API.
     *
     * @return the name
     */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * An unmodifiable copy in the order of the constants, so that equal sets have equal JSON.
     *
     * @param traits the traits
     * @return the copy
     */
    public static Set<Trait> copyOf(Set<Trait> traits) {
        return traits.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(traits));
    }

    /**
     * The words shown to users.
     *
     * @return the words
     */
    public String label() {
        return switch (this) {
            case NEGATED -> "negated";
            case FAMILY -> "family history";
            case HYPOTHETICAL -> "hypothetical";
            case HISTORICAL -> "history of";
            case TYPICAL -> "typical";
        };
    }

    /**
     * Whether a mention with this trait does not support a code of the patient, unless it is {@link #TYPICAL}.
     *
     * @return true for negated mentions and those about relatives
     */
    public boolean contradicts() {
        return this == NEGATED || this == FAMILY;
    }
}
