package dev.kopf4j.devcluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.kopf4j.checklist.LayerPicture;
import dev.kopf4j.devcluster.http.HttpFrontend;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Holds the layers of the dev cluster: each package uses those of lower layers only. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // what is read of all classes goes with the instance
class LayersTest {
    private static final String ROOT = "dev.kopf4j.devcluster";

    /** The picture in the document is the rule. */
    private static final LayerPicture LAYERS = LayerPicture.read(Path.of("ARCHITECTURE.md"), "## Layers", ROOT);

    /**
     * What a simulation could not control, by class; a star is every method. Constructors are called {@code <init>}.
     */
    private static final Map<String, Set<String>> FROM_THE_SYSTEM = Map.of(
            "java.time.Instant", Set.of("now"),
            "java.lang.Thread", Set.of("sleep", "ofVirtual", "ofPlatform", "startVirtualThread", "<init>"),
            "java.lang.System", Set.of("exit", "nanoTime", "currentTimeMillis"),
            "java.lang.Math", Set.of("random"),
            "java.util.Timer", Set.of("<init>"),
            "java.security.SecureRandom", Set.of("*"),
            "java.util.concurrent.Executors", Set.of("*"),
            "java.util.concurrent.ThreadLocalRandom", Set.of("*"));

    /** The socket side, and what the options replace in a simulation. */
    private static final Set<String> SYSTEM = Set.of(
            ROOT + ".DeepStack",
            ROOT + ".http",
            ROOT + ".certificate",
            ROOT + ".DevCluster",
            ROOT + ".Options",
            ROOT + ".SystemTaskScheduler");

    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void looksAtTheWholeModule() {
        assertThat(classes).hasSizeGreaterThan(200);
        assertThat(classes.contain(ROOT + ".json.Json")).isTrue();
        assertThat(classes.contain(LayersTest.class)).isFalse();
    }

    @Test
    void everyPackageHasItsLayer() {
        assertThat(classes.stream()
                        .map(JavaClass::getPackageName)
                        .filter(name -> !LAYERS.contains(name))
                        .distinct())
                .as("packages without a layer: add them to the picture in ARCHITECTURE.md")
                .isEmpty();
        assertThat(classes.stream().map(JavaClass::getPackageName).distinct())
                .as("the packages of the picture in ARCHITECTURE.md")
                .containsAll(LAYERS.packages());
    }

    @Test
    void layersUseOnlyThoseBelow() {
        assertThat(classes.stream().flatMap(LayersTest::stepsUpOrAside)).isEmpty();
    }

    @Test
    void timeAndThreadsAndChanceComeFromOutside() {
        assertThat(classes.stream()
                        .filter(type -> !isOfTheSystem(type))
                        .flatMap(type -> type.getAccessesFromSelf().stream())
                        .filter(LayersTest::isOfTheSystem)
                        .map(JavaAccess::getDescription))
                .isEmpty();
    }

    /** A rule that finds nothing in a class full of breaches would find nothing anywhere. */
    @Test
    void seesWhatTheRulesForbid() {
        JavaClass breaches = new ClassFileImporter().importClass(Breaches.class);
        assertThat(breaches.getAccessesFromSelf().stream().filter(LayersTest::isOfTheSystem))
                .hasSize(4);
        assertThat(isOfTheSystem(breaches)).isFalse();
        assertThat(stepsUpOrAside(classes.get(HttpFrontend.class))).isEmpty();
        assertThat(LAYERS.allows(ROOT + ".json", ROOT + ".storage")).isFalse();
        assertThat(LAYERS.allows(ROOT + ".storage", ROOT + ".status")).isFalse();
        assertThat(LAYERS.allows(ROOT + ".strategy", ROOT + ".strategy.core")).isFalse();
        assertThat(LAYERS.allows(ROOT + ".strategy.core", ROOT + ".strategy")).isTrue();
        assertThat(LAYERS.allows(ROOT + ".http", ROOT)).isFalse();
        assertThat(LAYERS.allows(ROOT, ROOT + ".http")).isTrue();
        assertThat(LAYERS.contains(ROOT + ".unheard")).isFalse();
        assertThat(LAYERS.contains("dev.kopf4j")).isFalse();
    }

    private static Stream<String> stepsUpOrAside(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(edge -> edge.getTargetClass().getBaseComponentType())
                .filter(used -> LAYERS.contains(used.getPackageName()))
                .filter(used -> !LAYERS.allows(type.getPackageName(), used.getPackageName()))
                .map(used -> type.getName() + " must not use " + used.getName())
                .distinct();
    }

    private static boolean isOfTheSystem(JavaClass type) {
        return SYSTEM.contains(type.getPackageName())
                || SYSTEM.contains(type.getName().replaceFirst("\\$.*", ""));
    }

    private static boolean isOfTheSystem(JavaAccess<?> access) {
        Set<String> names = FROM_THE_SYSTEM.getOrDefault(access.getTargetOwner().getName(), Set.of());
        return names.contains("*") || names.contains(access.getTarget().getName());
    }

    /** What the rules must see. */
    @SuppressWarnings("unused")
    private static final class Breaches {
        private final Instant call = Instant.now();
        private final Supplier<Instant> reference = Instant::now;
        private final Thread constructor = new Thread(() -> {});
        private final AutoCloseable any = Executors.newCachedThreadPool();
    }
}
