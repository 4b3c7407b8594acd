package org.plant4j.cli.model;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.pretrained.CardPage;
import org.plant4j.pretrained.PackedModel;
import org.plant4j.pretrained.PretrainedModels;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code plant model card}: data, licence, metrics and limits of a model. */
@Command(
        name = "card",
        description = "Show the card of a model: data, licence, metrics, calibration, limits and origin.",
        footer = {"", "Example:", "  plant model card codiesp-d"})
final class ModelCardCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(
            paramLabel = "MODEL",
            description = "Name of a pretrained model, or a file that 'plant model pack' wrote.")
    private Path model;

    @Override
    public Integer call() {
        PackedModel packed = PackedModel.isFile(model) ? PackedModel.of(model) : PretrainedModels.get(model.toString());
        common.out().print(json.enabled() ? JsonOption.pretty(packed.card()) + "\n" : CardPage.markdown(packed));
        common.out().flush();
        return CommandLine.ExitCode.OK;
    }
}
