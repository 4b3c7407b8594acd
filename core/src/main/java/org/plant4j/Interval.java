package org.plant4j;

/**
 * A confidence interval; {@code level} is the confidence, such as 0.95.
 *
 * @param low the lower bound
 * @param high the upper bound
 * @param level the confidence, such as 0.95
 */
public record Interval(double low, double high, double level) {}
