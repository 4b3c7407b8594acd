package org.plant4j.spark.cli;

import org.plant4j.Coder;
import org.plant4j.spark.PlantCoder;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of jobs that code documents: the run, the formats and how much to compute. */
final class CoderOptions {

    @Parameters(
            index = "0",
            paramLabel = "RUN",
            description = {
                "Run directory or pretrained model, which is copied to the executors;",
                "or a directory or Spark archive that they have."
            })
    private String run;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "Format of the input: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private DocumentFormat format = DocumentFormat.JSONL;

    @Option(
            names = "--to",
            paramLabel = "FORMAT",
            description = "Format of the output: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private CodedFormat outputFormat = CodedFormat.JSONL;

    @Option(names = "--top", paramLabel = "N", description = "Codes per document (default: ${DEFAULT-VALUE}).")
    private int top = Coder.DEFAULT_CODES;

    @Option(
            names = "--explained",
            paramLabel = "N",
            description = "Codes with evidence per document; 0 is fastest (default: all).")
    private int explained = Integer.MAX_VALUE;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            description = "Documents per call of the model (default: ${DEFAULT-VALUE}, exactly as one by one).")
    private int batchSize = 1;

    @Option(names = "--device", paramLabel = "DEVICE", description = "auto, cpu or cuda (default: ${DEFAULT-VALUE}).")
    private String device = "auto";

    String run() {
        return run;
    }

    String device() {
        return device;
    }

    int top() {
        return top;
    }

    DocumentFormat format() {
        return format;
    }

    CodedFormat outputFormat() {
        return outputFormat;
    }

    /** The coder, given the name of the run on the executors. */
    PlantCoder coder(String runName) {
        return new PlantCoder()
                .setRun(runName)
                .setCodes(top)
                .setExplained(explained)
                .setBatchSize(batchSize)
                .setDevice(device);
    }
}
