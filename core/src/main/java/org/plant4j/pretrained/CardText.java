package org.plant4j.pretrained;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.plant4j.UserError;
import org.plant4j.experiment.settings.SettingsBinder;
import org.plant4j.experiment.settings.SettingsTree;

/**
 * The part of a model card that a person writes, in a YAML file; all keys are optional.
 *
 * @param title what the model does, in a few words
 * @param language of the documents
 * @param codeSet name of the code set, such as ICD-10-CM
 * @param licence of the packed model
 * @param descriptions whether the descriptions of the codes may be packed
 * @param data the works that the model derives from
 * @param limits what users must know
 */
public record CardText(
        String title,
        String language,
        String codeSet,
        String licence,
        boolean descriptions,
        List<Source> data,
        List<String> limits) {

    /** For a model without a card file. */
    public static final CardText NONE = new CardText("", "", "", "", true, List.of(), List.of());

    /**
     * A work that the model derives from.
     *
     * @param use what the model takes from it
     * @param attribution authors and title, as its licence requires
     */
    public record Source(String name, String use, String licence, String attribution, String url) {}

    public CardText {
        data = List.copyOf(data);
        limits = List.copyOf(limits);
    }

    public static CardText read(Path file) {
        ObjectNode tree;
        try {
            tree = SettingsTree.parse(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw new UserError("The card cannot be read", file.toString(), "name a YAML file in UTF-8", e);
        }
        List.of("title", "language", "code_set", "licence").forEach(key -> tree.putIfAbsent(key, tree.textNode("")));
        tree.putIfAbsent("descriptions", tree.booleanNode(true));
        List.of("data", "limits").forEach(key -> tree.putIfAbsent(key, tree.arrayNode()));
        return SettingsBinder.bind(tree, CardText.class, file.toString(), List.of());
    }
}
