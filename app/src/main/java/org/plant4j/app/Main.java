package org.plant4j.app;

/** The {@code plant} command. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {}
}
