package org.plant4j;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Imports point one way. */
class LayeringTest {

    private static final String ROOT = "org.plant4j";

    /** Each package of the core with those it may import; the root package is open to all. */
    private static final Map<String, Set<String>> SEES = Map.ofEntries(
            entry("corpus", Set.of()),
            entry("text", Set.of("corpus")),
            entry("nn", Set.of("corpus", "text")),
            entry("encoders", Set.of("corpus", "text", "nn")),
            entry("train", Set.of("nn")),
            entry("eval", Set.of("corpus", "text")),
            entry("explain", Set.of("corpus", "text")),
            entry("lm", Set.of("corpus", "text", "nn", "train")),
            entry("rank", Set.of("corpus", "text", "nn", "train")),
            entry("models", Set.of("corpus", "text", "nn", "train", "lm", "rank")),
            entry("bench", Set.of("text", "nn", "train", "rank", "models")),
            entry("predict", Set.of("corpus", "text", "nn", "encoders", "lm", "rank", "models", "eval", "explain")),
            entry(
                    "experiment",
                    Set.of("corpus", "text", "nn", "train", "lm", "rank", "models", "eval", "explain", "predict")),
            entry(
                    "study",
                    Set.of(
                            "corpus",
                            "text",
                            "nn",
                            "train",
                            "lm",
                            "rank",
                            "models",
                            "eval",
                            "explain",
                            "predict",
                            "experiment")));

    private static final Set<String> KNOW_LIBTORCH = Set.of("nn", "lm", "rank", "models", "train", "bench", "predict");

    private static final JavaClasses production = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    static Set<String> packages() {
        return SEES.keySet();
    }

    /** Packages with what lies below them. */
    private static String[] patterns(Collection<String> packages) {
        return packages.stream().map(name -> ROOT + "." + name + "..").toArray(String[]::new);
    }

    @ParameterizedTest
    @MethodSource("packages")
    void aPackageSeesOnlyThoseBeforeIt(String name) {
        classes()
                .that()
                .resideInAnyPackage(patterns(Set.of(name)))
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage(ROOT + ".."))
                        .or(resideInAPackage(ROOT))
                        .or(resideInAnyPackage(patterns(Set.of(name))))
                        .or(resideInAnyPackage(patterns(SEES.getOrDefault(name, Set.of())))))
                .allowEmptyShould(true)
                .check(production);
    }

    @Test
    void theRootPackageSeesNoOther() {
        noClasses()
                .that()
                .resideInAPackage(ROOT)
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT + "..").and(not(resideInAPackage(ROOT))))
                .check(production);
    }

    @Test
    void everyPackageHasItsPlaceInTheOrder() {
        Set<String> found = production.stream()
                .map(type -> type.getPackageName().substring(ROOT.length()))
                .filter(below -> !below.isEmpty())
                .map(below -> below.substring(1).split("\\.", -1)[0])
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found).isSubsetOf(packages()).contains("corpus", "text", "nn", "models", "train");
    }

    @Test
    void packagesAreFreeOfCycles() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(production);
    }

    @Test
    void onlyTheNetworkKnowsLibtorch() {
        noClasses()
                .that()
                .resideOutsideOfPackages(patterns(KNOW_LIBTORCH))
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
