package org.plant4j.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.plant4j.MetricNames;
import org.plant4j.UserError;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.ExperimentLibrary;
import org.plant4j.inspection.ModelAdvice;
import org.plant4j.results.ExperimentResult.Measurement;
import org.plant4j.support.StrictJson;

/** What the model {@code auto} chooses for each corpus with a stored profile, against the best stored result. */
public final class AutoTable {

    private static final JsonMapper JSON =
            StrictJson.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final List<CorpusProfile> profiles;
    private final Map<String, ExperimentResult> results = new LinkedHashMap<>();

    /** A machine and a time budget. */
    private record Means(String title, boolean gpu, double minutes) {

        ModelAdvice choose(CorpusProfile profile) {
            return ModelAdvice.choose(
                    profile.facts(), new ModelAdvice.Means(profile.descriptions(), gpu, () -> gpu, minutes));
        }

        /** Without a GPU, models over a pretrained encoder are not a choice. */
        boolean allows(String model) {
            return gpu
                    || !ExperimentLibrary.names(ExperimentLibrary.Kind.MODELS).contains(model)
                    || ExperimentFile.openModel(model, List.of())
                            .pretrainedEncoder()
                            .isEmpty();
        }
    }

    private static final List<Means> MEANS = List.of(
            new Means("two cores, 120 min", false, 120),
            new Means("two cores, 5 min", false, 5),
            new Means("GPU and encoder, 120 min", true, 120));

    AutoTable(List<CorpusProfile> profiles, List<ExperimentResult> results) {
        this.profiles = profiles;
        results.forEach(result -> this.results.put(result.experiment(), result));
    }

    /** Writes the profile of a corpus to a directory. */
    public static Path write(CorpusProfile profile, Path directory) {
        Path file = directory.resolve(profile.corpus() + ".json");
        try {
            Files.createDirectories(directory);
            Files.writeString(file, JSON.writeValueAsString(profile) + "\n");
            return file;
        } catch (IOException e) {
            throw new UserError("The profile cannot be written", file.toString(), "choose another --results", e);
        }
    }

    static List<CorpusProfile> read(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .map(AutoTable::readProfile)
                    .toList();
        } catch (IOException e) {
            throw new UserError("The directory cannot be read", directory.toString(), "check its permissions", e);
        }
    }

    private static CorpusProfile readProfile(Path file) {
        try {
            return JSON.readValue(Files.readString(file), CorpusProfile.class);
        } catch (JsonProcessingException e) {
            throw new UserError(
                    "The file is not the profile of a corpus",
                    file.toString(),
                    "write it again: plant results corpus NAME",
                    e);
        } catch (IOException e) {
            throw new UserError("The profile cannot be read", file.toString(), "check that it is a text file", e);
        }
    }

    /** One row per corpus and means. */
    String choices() {
        StringBuilder table = new StringBuilder("""
                | corpus | documents | labels | training can use | `auto` | MAP | best measured | MAP | regret |
                |---|--:|--:|---|---|--:|---|--:|--:|
                """);
        for (CorpusProfile profile : profiles) {
            for (Means means : MEANS) {
                String model = means.choose(profile).model();
                Optional<Double> chosen = map(model, profile);
                Optional<ExperimentResult> best = best(profile, means);
                table.append(String.format(
                        Locale.ROOT,
                        "| %s | %,d | %,d | %s | `%s` | %s | %s | %s | %s |%n",
                        profile.corpus(),
                        profile.facts().documents(),
                        profile.facts().labels(),
                        means.title(),
                        model,
                        chosen.map(AutoTable::percent).orElse("not measured"),
                        best.map(result -> "`" + result.model() + "`").orElse(""),
                        best.map(result -> percent(map(result))).orElse(""),
                        chosen.flatMap(value -> best.map(result -> percent(map(result) - value)))
                                .orElse("")));
            }
        }
        return table.toString().replace("\r\n", "\n");
    }

    /** The mean regret of each model that was measured on all corpora, if it were used for all, next to that of auto. */
    String singleModels() {
        Means means = MEANS.get(0);
        Map<String, Double> regrets = new LinkedHashMap<>();
        regret(profile -> means.choose(profile).model(), means).ifPresent(value -> regrets.put("auto", value));
        results.values().stream()
                .map(ExperimentResult::model)
                .filter(means::allows)
                .distinct()
                .forEach(model -> regret(profile -> model, means).ifPresent(value -> regrets.put(model, value)));
        StringBuilder table = new StringBuilder("| model for all corpora | mean regret |\n|---|--:|\n");
        regrets.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .forEach(entry -> table.append("| `")
                        .append(entry.getKey())
                        .append("` | ")
                        .append(percent(entry.getValue()))
                        .append(" |\n"));
        return table.toString();
    }

    private interface Choice {
        String model(CorpusProfile profile);
    }

    private Optional<Double> regret(Choice choice, Means means) {
        double sum = 0;
        for (CorpusProfile profile : profiles) {
            Optional<Double> chosen = map(choice.model(profile), profile);
            Optional<ExperimentResult> best = best(profile, means);
            if (chosen.isEmpty() || best.isEmpty()) {
                return Optional.empty();
            }
            sum += map(best.get()) - chosen.get();
        }
        return profiles.isEmpty() ? Optional.empty() : Optional.of(sum / profiles.size());
    }

    private Optional<ExperimentResult> best(CorpusProfile profile, Means means) {
        return results.values().stream()
                .filter(result -> result.corpus().equals(profile.corpus()) && means.allows(result.model()))
                .max(Comparator.comparingDouble(AutoTable::map));
    }

    private Optional<Double> map(String model, CorpusProfile profile) {
        return Optional.ofNullable(results.get(model + "@" + profile.corpus())).map(AutoTable::map);
    }

    private static double map(ExperimentResult result) {
        return Optional.ofNullable(result.metrics().get(MetricNames.MAP))
                .map(Measurement::mean)
                .orElse(0.0);
    }

    private static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.1f", 100 * fraction);
    }
}
