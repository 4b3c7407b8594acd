package org.plant4j.app;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.plant4j.corpus.BadRows;
import org.plant4j.eval.Table;
import org.plant4j.experiment.Pipeline;
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
final class PrepareCommand implements Callable<Integer> {

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
        BadRows badRows = pipeline.badRows();
        PreparedCorpus prepared = pipeline.prepare(pipeline.read(named), common, badRows);
        Map<String, Integer> sizes = new LinkedHashMap<>();
        for (String part :
                new String[] {PreparedCorpus.TRAIN, Pipeline.DEV, Pipeline.TEST, PreparedCorpus.UNLABELLED}) {
            if (prepared.has(part)) {
                sizes.put(part + " documents", prepared.part(part).size());
            }
        }
        if (prepared.has(PreparedCorpus.PASSAGES)) {
            sizes.put("passages", prepared.part(PreparedCorpus.PASSAGES).size());
        }
        sizes.put("words", prepared.vocabulary().size());
        sizes.put("codes learned", prepared.labels().seen());
        if (prepared.labels().size() > prepared.labels().seen()) {
            sizes.put(
                    "codes by their descriptions alone",
                    prepared.labels().size() - prepared.labels().seen());
        }
        sizes.put(
                "codes met elsewhere only",
                prepared.labels().codes().size() - prepared.labels().size());
        if (json.wanted()) {
            common.out().println(JsonOption.text(sizes));
        } else {
            Table table = Table.of(Table.Column.text("prepared"), Table.Column.number("number", 0));
            for (Map.Entry<String, Integer> size : sizes.entrySet()) {
                table = table.row(size.getKey(), size.getValue());
            }
            common.out().print(table.toText(common.colour()));
        }
        common.say(badRows);
        return CommandLine.ExitCode.OK;
    }
}
