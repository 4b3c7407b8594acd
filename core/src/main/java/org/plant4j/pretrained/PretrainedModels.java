package org.plant4j.pretrained;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.support.DidYouMean;

/**
 * The packed models on the class path. Each jar lists its models in {@link #INDEX}, one name per line, and contains them
 * beside it. If several jars have a model of the same name, the first on the class path is used.
 */
public final class PretrainedModels {

    /** The directory of the models in a jar. */
    public static final String DIRECTORY = "META-INF/plant4j/models/";

    /** The list of the models in a jar. */
    public static final String INDEX = DIRECTORY + "index.txt";

    private PretrainedModels() {}

    /** All models, sorted by name. */
    public static List<PackedModel> all() {
        return List.copyOf(byName().values());
    }

    /** The names of all models, sorted. */
    public static List<String> names() {
        return List.copyOf(byName().keySet());
    }

    public static Optional<PackedModel> find(String name) {
        return Optional.ofNullable(byName().get(name));
    }

    /** The model of this name; an unknown name is an error that lists the known ones. */
    public static PackedModel get(String name) {
        return find(name)
                .orElseThrow(() -> new UserError(
                        "There is no pretrained model of this name on the class path", name, remedy(name, names())));
    }

    /**
     * The run that a user names: a run directory, the file of a packed model, or otherwise the name of a pretrained model.
     * Files are not checked.
     */
    public static Optional<RunDirectory> locate(Path named) {
        RunDirectory directory = new RunDirectory(named);
        if (Files.exists(directory.manifest())) {
            return Optional.of(directory);
        }
        return PackedModel.isFile(named)
                ? Optional.of(PackedModel.of(named).unpack())
                : find(named.toString()).map(PackedModel::unpack);
    }

    private static String remedy(String name, List<String> known) {
        String dependency = "add its jar to the class path, such as org.plant4j:plant4j-model-codiesp-d";
        return DidYouMean.closest(name, known).isPresent()
                ? DidYouMean.remedy(name, known)
                : known.isEmpty() ? dependency : DidYouMean.remedy(name, known) + "; or " + dependency;
    }

    private static SortedMap<String, PackedModel> byName() {
        ClassLoader loader = Optional.ofNullable(Thread.currentThread().getContextClassLoader())
                .orElseGet(PretrainedModels.class::getClassLoader);
        SortedMap<String, PackedModel> models = new TreeMap<>();
        try {
            for (URL index : Collections.list(loader.getResources(INDEX))) {
                for (String name : lines(index)) {
                    URL model = new URL(index, name + PackedModel.EXTENSION);
                    models.putIfAbsent(name, new PackedModel(name, model, model.toString()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return models;
    }

    private static List<String> lines(URL index) throws IOException {
        URLConnection connection = index.openConnection();
        connection.setUseCaches(false);
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            return in.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        }
    }
}
