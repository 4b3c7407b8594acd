package org.plant4j;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Imports of the core point one way; the app has its own test. The package {@code org.plant4j}, the public API, has two
 * halves: values, which every package may use and which use only each other, and entry points, which no package uses.
 */
class LayeringTest {

    private static final String ROOT = "org.plant4j";

    /** The packages of the core, lowest first: each may import only those before it. */
    private static final List<String> ORDER = List.of(
            "support",
            "corpus.file",
            "corpus",
            "corpus.codeset",
            "corpus.demo",
            "corpus.sample",
            "corpus.format",
            "text",
            "translation",
            "preparation",
            "inspection",
            "tensor",
            "distributed",
            "layer",
            "layer.transformer",
            "encoder",
            "encoder.importer",
            "train",
            "pretrain.vectors",
            "pretrain",
            "rank",
            "model.output",
            "model",
            "model.plant",
            "model.description",
            "model.isd",
            "model.linear",
            "model.boosting",
            "model.matching",
            "model.baseline",
            "model.ensemble",
            "model.registry",
            "statistics",
            "metric",
            "calibration",
            "domain",
            "report",
            "prediction",
            "context",
            "experiment.settings",
            "experiment",
            "explain",
            "pipeline.stage",
            "pipeline.evaluation",
            "pipeline",
            "pretrained",
            "results",
            "study.measurement",
            "study",
            "tuning",
            "bench");

    private static final Set<String> ENTRY_POINTS = Set.of("Coder", "LoadedRun", "Training", "DocumentFiles");

    private static final DescribedPredicate<JavaClass> ENTRY_POINT = resideInAPackage(ROOT)
            .and(describe(
                    "entry points",
                    type -> ENTRY_POINTS.contains(
                            type.getName().replaceFirst("^.*\\.", "").replaceFirst("\\$.*", ""))));

    private static final DescribedPredicate<JavaClass> VALUE =
            resideInAPackage(ROOT).and(not(ENTRY_POINT));

    private static final Set<String> USE_LIBTORCH =
            Set.of("tensor", "distributed", "layer", "encoder", "pretrain", "rank", "train", "model", "bench");

    private static final JavaClasses production = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    static List<String> packages() {
        return ORDER;
    }

    private static String[] qualified(Collection<String> packages, String suffix) {
        return packages.stream().map(name -> ROOT + "." + name + suffix).toArray(String[]::new);
    }

    @ParameterizedTest
    @MethodSource("packages")
    void aPackageImportsOnlyThoseBeforeIt(String name) {
        classes()
                .that()
                .resideInAPackage(ROOT + "." + name)
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage(ROOT + ".."))
                        .or(VALUE)
                        .or(resideInAnyPackage(qualified(ORDER.subList(0, ORDER.indexOf(name) + 1), ""))))
                .check(production);
    }

    @Test
    void valuesOfTheApiUseOnlyEachOther() {
        DescribedPredicate<JavaClass> computed = simpleName("Evaluation"); // its factories use the metrics
        classes()
                .that(VALUE.and(not(computed)))
                .should()
                .onlyDependOnClassesThat(
                        not(resideInAPackage(ROOT + "..")).or(VALUE).or(resideInAPackage(ROOT + ".support")))
                .check(production);
    }

    @Test
    void everyPackageHasItsPlaceInTheOrder() {
        Set<String> found = production.stream()
                .map(type -> type.getPackageName())
                .filter(name -> !name.equals(ROOT))
                .map(name -> name.substring(ROOT.length() + 1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found).containsExactlyInAnyOrderElementsOf(ORDER);
    }

    @Test
    void onlyTensorPackagesUseLibtorch() {
        noClasses()
                .that()
                .resideOutsideOfPackages(qualified(USE_LIBTORCH, ".."))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.bytedeco..")
                .because("corpora, metrics, explanations and the server stay plain Java, testable without natives")
                .check(production);
    }

    @Test
    void resultsLeaveAsValuesAndMessagesThroughSlf4j() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(production);
        NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.check(production);
    }
}
