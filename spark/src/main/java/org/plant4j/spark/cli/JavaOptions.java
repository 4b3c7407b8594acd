package org.plant4j.spark.cli;

import org.apache.spark.launcher.JavaModuleOptions;

/** Prints the options that Spark needs on the command line of Java, for the script {@code plant-spark}. */
final class JavaOptions {

    private JavaOptions() {}

    public static void main(String[] args) {
        System.out.println(JavaModuleOptions.defaultModuleOptions());
    }
}
