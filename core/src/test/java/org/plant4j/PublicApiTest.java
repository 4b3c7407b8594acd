package org.plant4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public API is the package {@code org.plant4j}: the types below and nothing else. Whoever adds a type adds it here, to
 * docs/library.md, and promises to keep it.
 */
class PublicApiTest {

    private static final Set<String> TYPES = Set.of(
            "Band",
            "ChosenView",
            "Coder",
            "Coder$Builder",
            "CodingResult",
            "Curve",
            "Device",
            "Document",
            "DomainCheck",
            "Evaluation",
            "Evidence",
            "Explanation",
            "FrequencyBucket",
            "GoldEvidence",
            "Interval",
            "MetricNames",
            "Precision",
            "Progress",
            "Progress$Task",
            "RankedCode",
            "Span",
            "StageListener",
            "Suggestion",
            "Thresholds",
            "Training",
            "TrainingResult",
            "Trait",
            "UserError");

    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.plant4j");

    private static Stream<JavaClass> api() {
        return PRODUCTION.stream()
                .filter(type -> type.getPackageName().equals("org.plant4j"))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC));
    }

    @Test
    void theTypesAreListed() {
        assertThat(api().map(type -> type.getName().replace("org.plant4j.", "")).collect(Collectors.toSet()))
                .isEqualTo(TYPES);
    }

    /** A signature with an internal type would export that type, and all that it mentions. */
    @Test
    void signaturesMentionOnlyTheApiAndTheJdk() {
        Set<String> others = new TreeSet<>();
        api().forEach(type -> mentioned(type)
                .flatMap(each -> each.getAllInvolvedRawTypes().stream())
                .map(JavaClass::getBaseComponentType)
                .filter(each -> !each.isPrimitive()
                        && !each.getPackageName().startsWith("java.")
                        && !TYPES.contains(each.getName().replace("org.plant4j.", "")))
                .forEach(each -> others.add(type.getSimpleName() + " mentions " + each.getName())));
        assertThat(others).isEmpty();
    }

    private static Stream<JavaType> mentioned(JavaClass type) {
        Stream<JavaType> supertypes = Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
        Stream<JavaType> signatures = type.getCodeUnits().stream()
                .filter(PublicApiTest::isVisible)
                .flatMap(unit -> Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream()));
        Stream<JavaType> fields = type.getFields().stream()
                .filter(field -> field.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaField::getType);
        return Stream.of(supertypes, signatures, fields).flatMap(each -> each);
    }

    private static boolean isVisible(JavaCodeUnit unit) {
        return unit.getModifiers().contains(JavaModifier.PUBLIC)
                || unit.getModifiers().contains(JavaModifier.PROTECTED);
    }
}
