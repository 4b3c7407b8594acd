package org.plant4j.cli.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.report.ReportTable;
import org.plant4j.text.PreparedCorpus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code plant prepare}: only turns an experiment's corpus into numbers. */
@Command(
        name = "prepare",
        description = {
            "Only turn an experiment's corpus into numbers.",
            "'run' does this by itself; alone it shows early whether the corpus can be read."
        })
public final class PrepareCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final PipelineOptions pipeline = new PipelineOptions();

    @Parameters(paramLabel = "EXPERIMENT", description = "A YAML file, or a packaged experiment.")
    private String named;

    @Override
    public Integer call() {
        BadRowHandler badRows = pipeline.badRows();
        PreparedCorpus prepared = pipeline.prepare(pipeline.read(named), common, badRows);
        Map<String, Integer> sizes = new LinkedHashMap<>();
        for (String part :
                new String[] {PreparedCorpus.TRAIN, Pipeline.DEV, Pipeline.TEST, PreparedCorpus.UNLABELLED}) {
            if (prepared.hasSplit(part)) {
                sizes.put(part + " documents", prepared.split(part).size());
            }
        }
        if (prepared.hasSplit(PreparedCorpus.PASSAGES)) {
            sizes.put("passages", prepared.split(PreparedCorpus.PASSAGES).size());
        }
        sizes.put("words", prepared.vocabulary().size());
        sizes.put("codes learned", prepared.labels().trainedCount());
        if (prepared.labels().size() > prepared.labels().trainedCount()) {
            sizes.put(
                    "codes by their descriptions alone",
                    prepared.labels().size() - prepared.labels().trainedCount());
        }
        sizes.put(
                "codes met elsewhere only",
                prepared.labels().codes().size() - prepared.labels().size());
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(sizes));
        } else {
            ReportTable table =
                    ReportTable.of(ReportTable.Column.text("prepared"), ReportTable.Column.number("number", 0));
            for (Map.Entry<String, Integer> size : sizes.entrySet()) {
                table = table.row(size.getKey(), size.getValue());
            }
            common.out().print(table.toText(common.color()));
        }
        common.info(badRows);
        return CommandLine.ExitCode.OK;
    }
}
