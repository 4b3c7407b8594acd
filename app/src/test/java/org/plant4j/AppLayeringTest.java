package org.plant4j;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.cli.Main;

/** Imports of the app point one way; the core has its own test. */
class AppLayeringTest {

    private static final String ROOT = "org.plant4j.";

    /** The packages of the app, lowest first: each may import only those before it. */
    private static final List<String> ORDER = List.of(
            "encounter",
            "edit",
            "review.database",
            "review.access",
            "review",
            "review.worklist",
            "fhir",
            "hl7",
            "server.http",
            "server.access",
            "server.login",
            "server.search",
            "server.coding",
            "server.api",
            "server.worklist",
            "server.cds",
            "server.page",
            "server",
            "cli.terminal",
            "cli.option",
            "cli.bench",
            "cli.corpus",
            "cli.init",
            "cli.code",
            "cli.process",
            "cli.run",
            "cli.ranking",
            "cli.results",
            "cli.encoder",
            "cli.model",
            "cli.doctor",
            "cli.serve",
            "cli.demo",
            "cli");

    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importUrl(Main.class.getProtectionDomain().getCodeSource().getLocation());

    static List<String> lowerPackages() {
        return ORDER.subList(0, ORDER.size() - 1);
    }

    @ParameterizedTest
    @MethodSource("lowerPackages")
    void aPackageImportsOnlyThoseBeforeIt(String name) {
        String[] later = ORDER.subList(ORDER.indexOf(name) + 1, ORDER.size()).stream()
                .map(each -> ROOT + each)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(ROOT + name)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(later)
                .check(PRODUCTION);
    }

    @Test
    void everyPackageHasItsPlaceInTheOrder() {
        Set<String> found = PRODUCTION.stream()
                .map(JavaClass::getPackageName)
                .map(name -> name.substring(ROOT.length()))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found).containsExactlyInAnyOrderElementsOf(ORDER);
    }

    @ParameterizedTest
    @CsvSource({
        "ca.uhn.fhir.., fhir",
        "org.hl7.fhir.., fhir",
        "ca.uhn.hl7v2.., hl7",
        "org.apache.lucene.., server.search",
        "com.nimbusds.., server.login",
        "io.javalin.., server..",
        "org.eclipse.jetty.., server",
        "java.sql.., review..",
        "picocli.., cli.."
    })
    void aLibraryIsUsedInOnePlace(String library, String place) {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + place)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(PRODUCTION);
    }
}
