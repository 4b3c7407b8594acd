package org.plant4j.cli.model;

import java.util.List;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.pretrained.CardPage;
import org.plant4j.pretrained.PackedModel;
import org.plant4j.pretrained.PretrainedModels;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code plant model list}: the pretrained models. */
@Command(
        name = "list",
        description = "List the pretrained models, which other commands take instead of a run directory.")
final class ModelListCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        List<PackedModel> models = PretrainedModels.all();
        if (json.enabled()) {
            common.out()
                    .println(JsonOption.pretty(
                            models.stream().map(PackedModel::card).toList()));
        } else {
            common.out().print(CardPage.table(models).toText(common.color()));
            common.out().println(common.faint("Dev MAP in percent. Show a card with: plant model card NAME"));
        }
        common.out().flush();
        return CommandLine.ExitCode.OK;
    }
}
