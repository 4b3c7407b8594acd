package org.plant4j.spark;

import org.apache.spark.sql.SparkSession;

/** One Spark session with two tasks at a time for all tests of a JVM; starting one takes seconds. */
public final class LocalSpark {

    private static final SparkSession SESSION = open();

    private LocalSpark() {}

    public static SparkSession session() {
        return SESSION;
    }

    private static SparkSession open() {
        System.setProperty("log4j2.configurationFile", "classpath:org/plant4j/spark/log4j2.properties");
        return SparkSession.builder()
                .master("local[2]")
                .appName("tests")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.ui.enabled", false)
                .config("spark.sql.shuffle.partitions", 2)
                .config("spark.sql.warehouse.dir", "target/warehouse")
                .getOrCreate();
    }
}
