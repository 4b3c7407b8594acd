package org.plant4j.review;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Whether a diagnosis was present on admission, with the indicators of the UB-04 claim form. */
public enum PresentOnAdmission {
    YES("Y"),
    NO("N"),
    /** The documentation does not say. */
    UNKNOWN("U"),
    /** The provider cannot determine it. */
    UNDETERMINED("W"),
    /** The code is exempt from reporting. */
    EXEMPT("1");

    private final String indicator;

    PresentOnAdmission(String indicator) {
        this.indicator = indicator;
    }

    /** The indicator: Y, N, U, W or 1. */
    @JsonValue
    public String indicator() {
        return indicator;
    }

    public static Optional<PresentOnAdmission> of(String indicator) {
        return Arrays.stream(values())
                .filter(each -> each.indicator.equals(indicator))
                .findFirst();
    }

    public static List<String> indicators() {
        return Arrays.stream(values()).map(PresentOnAdmission::indicator).toList();
    }
}
