package org.plant4j.spark.engine;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.SparkSession;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.distributed.GroupSettings;
import org.plant4j.distributed.PeerFailure;
import org.plant4j.distributed.ProcessGroup;
import org.plant4j.distributed.Rendezvous;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.tensor.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * Runs an experiment in several executors together, as the tasks of a barrier stage: Spark starts all of them or none. If an
 * executor is lost, Spark starts all of them again, and they resume from the last checkpoint.
 */
public final class BarrierTraining {

    private static final Logger LOG = LoggerFactory.getLogger(BarrierTraining.class);

    private final Experiment experiment;
    private final Path runs;
    private final String command;

    /** {@code runs} must be a directory that all executors share: any of them may become the first process. */
    public BarrierTraining(Experiment experiment, Path runs, String command) {
        this.experiment = experiment;
        this.runs = runs;
        this.command = command;
    }

    /** Returns when the run is complete. Needs as many executors with one task slot each. */
    public void run(SparkSession spark, int processes) {
        Member member = new Member(
                ExperimentFile.toYaml(experiment), runs.toAbsolutePath().toString(), command);
        RDD<String> errors = JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(IntStream.range(0, processes).boxed().toList(), processes)
                .rdd()
                .barrier()
                .mapPartitions(member, false, ClassTag$.MODULE$.apply(String.class));
        // Spark never repeats a barrier stage that ends a job, but repeats one that feeds a shuffle.
        for (String error : errors.toJavaRDD().repartition(1).collect()) {
            if (!error.isEmpty()) {
                throw new UserError(
                        error, "a process of the training", "fix the error, and run the same command again");
            }
        }
    }

    /** One process; returns the error that the user can fix, or an empty text. Barrier stages take a Scala function. */
    private static final class Member extends AbstractFunction1<Iterator<Integer>, Iterator<String>>
            implements Serializable {

        private static final long serialVersionUID = 1;

        private final String experiment;
        private final String runs;
        private final String command;

        Member(String experiment, String runs, String command) {
            this.experiment = experiment;
            this.runs = runs;
            this.command = command;
        }

        @Override
        public Iterator<String> apply(Iterator<Integer> ranks) {
            BarrierTaskContext task = BarrierTaskContext.get();
            String error = "";
            try (ProcessGroup group = join(task)) {
                new Pipeline(read(), Path.of(runs), session().withGroup(group)).run();
                task.allGather(""); // a process that leaves early would break the last call of the others
            } catch (UserError e) {
                LOG.error("The training failed", e);
                error = e.getMessage();
                task.allGather(error);
            } catch (PeerFailure e) {
                // If an executor is lost, Spark ends this call and starts all processes again.
                error = Arrays.stream(task.allGather(""))
                        .filter(other -> !other.isEmpty())
                        .findFirst()
                        .orElseThrow(() -> e);
            }
            return CollectionConverters.asScala(List.of(error).iterator());
        }

        private Session session() {
            return new Session(
                    command,
                    BadRowHandler.fail(),
                    false,
                    Progress.NONE,
                    () -> false,
                    (stage, outcome) -> LOG.info("{}: {}", stage, outcome));
        }

        /** The first process listens on a free port and sends its address to the others. */
        private static ProcessGroup join(BarrierTaskContext task) {
            String[] executors = task.allGather(SparkEnv.get().executorId());
            if (new HashSet<>(Arrays.asList(executors)).size() < executors.length) {
                // libtorch's random generator belongs to the JVM, so two processes need two of them.
                throw new UserError(
                        "Two processes of the training are in one executor",
                        "executors " + String.join(", ", executors),
                        "set spark.task.cpus to the number of spark.executor.cores");
            }
            Engine.setThreads(task.cpus());
            int rank = task.partitionId();
            String host = task.getTaskInfos()[rank].address().replaceAll(":\\d+$", "");
            GroupSettings settings = GroupSettings.of(rank, executors.length)
                    .withAttempt("attempt-" + task.stageAttemptNumber())
                    .withAddress(host);
            if (rank == 0) {
                Rendezvous rendezvous = Rendezvous.listen(host, 0, GroupSettings.TIMEOUT);
                task.allGather(rendezvous.address());
                return settings.join(rendezvous);
            }
            return settings.join(task.allGather("")[0]);
        }

        private Experiment read() {
            try {
                Path file = Files.createTempFile("experiment", ".yaml");
                try {
                    Files.writeString(file, experiment);
                    return ExperimentFile.read(file, List.of());
                } finally {
                    Files.delete(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
