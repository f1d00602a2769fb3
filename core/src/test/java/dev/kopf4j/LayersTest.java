package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.kopf4j.checklist.LayerPicture;
import dev.kopf4j.json.FieldPath;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Holds the layers of the core: each may use those below it only, and time and threads come from one of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // what is read of all classes goes with the instance
class LayersTest {
    private static final String ROOT = "dev.kopf4j";

    /** The picture in the document is the rule. */
    private static final LayerPicture LAYERS =
            LayerPicture.read(Path.of("..", "ARCHITECTURE.md"), "## Layers of `core`", ROOT);

    private static final String OPERATOR = ROOT + ".Operator";

    /** Where users come in: building an operator, its settings, and the tools for handlers are the steps up. */
    private static final Map<String, Set<String>> STEPS_UP = Map.of(
            OPERATOR,
            Set.of(ROOT + ".engine", ROOT + ".engine.rights"),
            ROOT + ".Kopf",
            Set.of(ROOT + ".hierarchy"),
            ROOT + ".Body",
            Set.of(ROOT + ".object"),
            ROOT + ".View",
            Set.of(ROOT + ".object"),
            ROOT + ".OperatorSettings",
            Set.of(ROOT + ".settings"));

    /** What the simulation could not control, by class; a star is every method. Constructors are called so. */
    private static final Map<String, Set<String>> FROM_RUNTIME_ONLY = Map.ofEntries(
            Map.entry("java.time.Instant", Set.of("now")),
            Map.entry("java.time.LocalDateTime", Set.of("now")),
            Map.entry("java.time.OffsetDateTime", Set.of("now")),
            Map.entry("java.time.ZonedDateTime", Set.of("now")),
            Map.entry("java.time.Clock", Set.of("systemUTC", "systemDefaultZone", "system")),
            Map.entry("java.lang.Thread", Set.of("sleep", "ofVirtual", "ofPlatform", "startVirtualThread", "<init>")),
            Map.entry("java.lang.System", Set.of("exit", "nanoTime", "currentTimeMillis")),
            Map.entry("java.lang.Runtime", Set.of("exit", "halt")),
            Map.entry("java.lang.Math", Set.of("random")),
            Map.entry("java.util.Timer", Set.of("<init>")),
            Map.entry("java.util.concurrent.Executors", Set.of("*")),
            Map.entry("java.util.concurrent.ThreadLocalRandom", Set.of("*")));

    private final JavaClasses core = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("/checklist/"))
            .importPackages(ROOT);

    @Test
    void looksAtTheWholeCore() {
        assertThat(core).hasSizeGreaterThan(30);
        assertThat(core.contain(ROOT + ".json.Json")).isTrue();
        assertThat(core.contain(LayersTest.class)).isFalse();
    }

    @Test
    void everyPackageHasItsLayer() {
        assertThat(core.stream()
                        .map(JavaClass::getPackageName)
                        .filter(name -> !LAYERS.contains(name))
                        .distinct())
                .as("packages without a layer: add them to the picture in ARCHITECTURE.md")
                .isEmpty();
        assertThat(core.stream().map(JavaClass::getPackageName).distinct())
                .as("the packages of the picture in ARCHITECTURE.md")
                .containsAll(LAYERS.packages());
    }

    @Test
    void layersUseOnlyThoseBelow() {
        assertThat(core.stream().flatMap(LayersTest::stepsUpOrAside)).isEmpty();
    }

    @Test
    void timeAndThreadsAndChanceComeFromRuntime() {
        assertThat(core.stream()
                        .filter(type -> !type.getPackageName().startsWith(ROOT + ".runtime"))
                        .flatMap(LayersTest::escapes))
                .isEmpty();
    }

    /** Whoever embeds an operator decides what a signal means. */
    @Test
    @Tag("L50")
    void embeddedOperatorsHandleNoSignals() {
        assertThat(core.stream().filter(LayersTest::handlesSignals)).isEmpty();
        assertThat(handlesSignals(new ClassFileImporter().importClass(Breaches.class)))
                .isTrue();
    }

    private static boolean handlesSignals(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                        .anyMatch(edge -> edge.getTargetClass().getName().startsWith("sun.misc.Signal"))
                || type.getAccessesFromSelf().stream()
                        .anyMatch(access -> access.getTarget().getName().equals("addShutdownHook"));
    }

    /** A rule that finds nothing in a class full of breaches would find nothing anywhere. */
    @Test
    void seesWhatTheRulesForbid() {
        JavaClass breaches = new ClassFileImporter().importClass(Breaches.class);
        assertThat(escapes(breaches)).hasSize(4);
        assertThat(stepsUpOrAside(breaches))
                .containsExactly(Breaches.class.getName() + " must not use " + FieldPath.class.getName());
        assertThat(isAllowed(ROOT + ".json.Json", ROOT + ".json", ROOT + ".persistence"))
                .isFalse();
        assertThat(isAllowed(ROOT + ".engine.daemon.X", ROOT + ".engine.daemon", ROOT + ".engine.index"))
                .isFalse();
        assertThat(isAllowed(ROOT + ".OperatorBuilder", ROOT, ROOT + ".engine")).isFalse();
        assertThat(isAllowed(ROOT + ".client.api.X", ROOT + ".client.api", ROOT + ".client.watching"))
                .isFalse();
        assertThat(isAllowed(ROOT + ".engine.call.X", ROOT + ".engine.call", ROOT + ".engine.cycle"))
                .isFalse();
        assertThat(isAllowed(OPERATOR, ROOT, ROOT + ".engine")).isTrue();
        assertThat(isAllowed(OPERATOR, ROOT, ROOT + ".engine.queueing")).isFalse();
        assertThat(isAllowed(OPERATOR, ROOT, ROOT + ".hierarchy")).isFalse();
        assertThat(LAYERS.contains(ROOT + ".unheard")).isFalse();
    }

    private static Stream<String> stepsUpOrAside(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(edge -> edge.getTargetClass().getBaseComponentType())
                .filter(used -> LAYERS.contains(used.getPackageName()) && LAYERS.contains(type.getPackageName()))
                .filter(used -> !isAllowed(type.getName(), type.getPackageName(), used.getPackageName()))
                .map(used -> type.getName() + " must not use " + used.getName())
                .distinct();
    }

    private static boolean isAllowed(String type, String from, String to) {
        boolean stepsUp =
                STEPS_UP.getOrDefault(type.replaceFirst("\\$.*", ""), Set.of()).contains(to);
        return stepsUp || LAYERS.allows(from, to);
    }

    private static Stream<String> escapes(JavaClass type) {
        List<JavaAccess<?>> accesses = new ArrayList<>(type.getAccessesFromSelf());
        return accesses.stream().filter(LayersTest::isEscape).map(JavaAccess::getDescription);
    }

    private static boolean isEscape(JavaAccess<?> access) {
        Set<String> names =
                FROM_RUNTIME_ONLY.getOrDefault(access.getTargetOwner().getName(), Set.of());
        return names.contains("*") || names.contains(access.getTarget().getName());
    }

    /** What the rules must see. */
    @SuppressWarnings("unused")
    private static final class Breaches {
        private final Instant call = Instant.now();
        private final Supplier<Instant> reference = Instant::now;
        private final Thread constructor = new Thread(() -> {});
        private final FieldPath[] up = {FieldPath.ROOT};
        private final AutoCloseable any = Executors.newCachedThreadPool();

        private void hook() {
            Runtime.getRuntime().addShutdownHook(constructor);
        }
    }
}
