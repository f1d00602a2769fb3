package dev.kopf4j.types;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.kopf4j.checklist.LayerPicture;
import dev.kopf4j.types.schema.SchemaGenerator;
import dev.kopf4j.types.source.ResourceSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the layers of the module: each package uses those of lower layers only. */
class LayersTest {
    private static final String ROOT = "dev.kopf4j.types";

    /** The picture in the document is the rule. */
    private static final LayerPicture LAYERS = LayerPicture.read(Path.of("ARCHITECTURE.md"), "## Layers", ROOT);

    /** Where users come in. */
    private static final Set<String> DOORS = Set.of(
            ROOT + ".CustomResourceDefinitions",
            ROOT + ".DefinitionChanges",
            ROOT + ".Descriptions",
            ROOT + ".RecordSources");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void looksAtTheWholeModule() {
        assertThat(CLASSES).hasSizeGreaterThan(40);
        assertThat(DOORS).allMatch(CLASSES::contain);
        assertThat(CLASSES.contain(LayersTest.class)).isFalse();
    }

    @Test
    void everyPackageHasItsLayer() {
        List<String> packages =
                CLASSES.stream().map(JavaClass::getPackageName).distinct().toList();
        assertThat(packages)
                .as("the packages of the picture in ARCHITECTURE.md")
                .hasSameElementsAs(LAYERS.packages());
    }

    @Test
    void layersUseOnlyThoseBelow() {
        assertThat(CLASSES.stream().flatMap(LayersTest::stepsUpOrAside)).isEmpty();
    }

    /** A rule that finds nothing in a class full of breaches would find nothing anywhere. */
    @Test
    void seesWhatTheRulesForbid() {
        assertThat(stepsUpOrAside(new ClassFileImporter().importClass(Breaches.class)))
                .containsExactlyInAnyOrder(
                        Breaches.class.getName() + " must not use " + SchemaGenerator.class.getName(),
                        Breaches.class.getName() + " must not use " + ResourceSource.class.getName());
        assertThat(LAYERS.allows(ROOT + ".schema", ROOT + ".definition")).isFalse();
        assertThat(LAYERS.allows(ROOT + ".comparison", ROOT + ".source")).isFalse();
        assertThat(LAYERS.allows(ROOT + ".source", ROOT + ".definition")).isTrue();
        assertThat(LAYERS.contains(ROOT + ".unheard")).isFalse();
    }

    private static Stream<String> stepsUpOrAside(JavaClass type) {
        return DOORS.contains(type.getName().replaceFirst("\\$.*", ""))
                ? Stream.of()
                : type.getDirectDependenciesFromSelf().stream()
                        .map(edge -> edge.getTargetClass().getBaseComponentType())
                        .filter(used -> LAYERS.contains(used.getPackageName()))
                        .filter(used -> !LAYERS.allows(type.getPackageName(), used.getPackageName()))
                        .map(used -> type.getName() + " must not use " + used.getName())
                        .distinct();
    }

    /** What the rules must see. */
    @SuppressWarnings("unused")
    private static final class Breaches {
        private final SchemaGenerator up = new SchemaGenerator(Descriptions.none());
        private final ResourceSource[] further = {};
    }
}
