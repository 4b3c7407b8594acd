package org.plant4j.spark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.plant4j.spark.LocalSpark;

class MainTest {

    @Test
    void sparkRunsTasksInThisJvm() {
        SparkSession spark = LocalSpark.session();

        assertThat(spark.createDataset(List.of("sepsis", "gout", "sepsis"), Encoders.STRING())
                        .distinct()
                        .collectAsList())
                .containsExactlyInAnyOrder("sepsis", "gout");
    }

    @Test
    void anUnknownCommandIsAnErrorOfTheUser() {
        assertThat(Main.run("cod")).isEqualTo(2);
    }
}
