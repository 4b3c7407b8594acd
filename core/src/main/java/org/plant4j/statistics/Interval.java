package org.plant4j.statistics;

/** Where a metric lies with the given confidence, such as 0.95. */
public record Interval(double low, double high, double level) {}
