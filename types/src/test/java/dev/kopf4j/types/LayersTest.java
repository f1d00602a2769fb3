package dev.kopf4j.types;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.kopf4j.checklist.LayerPicture;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the layers of the module: each package uses those of lower layers only. */
class LayersTest {
    private static final String ROOT = "dev.kopf4j.types";

    /** The picture in the document is the rule. */
    private static final LayerPicture LAYERS = LayerPicture.read(Path.of("ARCHITECTURE.md"), "## Layers", ROOT);

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void looksAtTheWholeModule() {
        assertThat(CLASSES).hasSizeGreaterThan(40);
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

    @Test
    void seesWhatTheRulesForbid() {
        assertThat(LAYERS.allows(ROOT + ".schema", ROOT)).isFalse();
        assertThat(LAYERS.allows(ROOT, ROOT + ".schema")).isTrue();
        assertThat(LAYERS.allows(ROOT + ".schema", ROOT + ".definition")).isFalse();
        assertThat(LAYERS.allows(ROOT + ".comparison", ROOT + ".source")).isFalse();
        assertThat(LAYERS.allows(ROOT + ".source", ROOT + ".definition")).isTrue();
        assertThat(LAYERS.contains(ROOT + ".unheard")).isFalse();
    }

    private static Stream<String> stepsUpOrAside(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(edge -> edge.getTargetClass().getBaseComponentType())
                .filter(used -> LAYERS.contains(used.getPackageName()))
                .filter(used -> !LAYERS.allows(type.getPackageName(), used.getPackageName()))
                .map(used -> type.getName() + " must not use " + used.getName())
                .distinct();
    }
}
