package org.plant4j.cli.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.experiment.Experiment;
import org.plant4j.report.ReportTable;
import org.plant4j.text.PreparedCorpus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code plant prepare}: prepares a corpus without training. */
@Command(
        name = "prepare",
        description = {
            "Prepare a corpus without training.",
            "'plant run' does this as its first stage; on its own it checks that a corpus can be read."
        })
public final class PrepareCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final PipelineOptions pipeline = new PipelineOptions();

    @Parameters(paramLabel = "EXPERIMENT", description = "MODEL@CORPUS or a YAML file, such as plant@demo.")
    private String named;

    @Override
    public Integer call() {
        Experiment experiment = pipeline.read(named);
        Map<String, Integer> sizes;
        try (ExperimentRunner runner = new ExperimentRunner(common, pipeline)) {
            sizes = sizes(runner.prepare(experiment));
        }
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(sizes));
        } else {
            ReportTable table =
                    ReportTable.of(ReportTable.Column.text("prepared corpus"), ReportTable.Column.number("count", 0));
            for (Map.Entry<String, Integer> size : sizes.entrySet()) {
                table = table.row(size.getKey(), size.getValue());
            }
            common.out().print(table.toText(common.color()));
        }
        return CommandLine.ExitCode.OK;
    }

    private static Map<String, Integer> sizes(PreparedCorpus prepared) {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        for (String split :
                List.of(PreparedCorpus.TRAIN, PreparedCorpus.DEV, PreparedCorpus.TEST, PreparedCorpus.UNLABELLED)) {
            if (prepared.hasSplit(split)) {
                sizes.put(split + " documents", prepared.split(split).size());
            }
        }
        if (prepared.hasSplit(PreparedCorpus.PASSAGES)) {
            sizes.put("passages", prepared.split(PreparedCorpus.PASSAGES).size());
        }
        sizes.put("vocabulary", prepared.vocabulary().size());
        sizes.put("labels with training documents", prepared.labels().trainedCount());
        int zeroShot = prepared.labels().size() - prepared.labels().trainedCount();
        if (zeroShot > 0) {
            sizes.put("zero-shot labels", zeroShot);
        }
        sizes.put(
                "labels only in dev or test",
                prepared.labels().codes().size() - prepared.labels().size());
        return sizes;
    }
}
