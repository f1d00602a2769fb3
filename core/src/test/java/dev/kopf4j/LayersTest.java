package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.kopf4j.json.FieldPath;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the layers of the core: each may use those below it only, and time and threads come from one of them. */
class LayersTest {
    private static final String ROOT = "dev.kopf4j";

    /**
     * From the bottom up. Packages of one layer do not know each other: each name here is a package with its children.
     */
    private static final List<Set<String>> LAYERS = List.of(
            Set.of(ROOT + ".text"),
            Set.of(ROOT),
            Set.of(ROOT + ".settings"),
            Set.of(ROOT + ".spi"),
            Set.of(ROOT + ".runtime"),
            Set.of(ROOT + ".json"),
            Set.of(ROOT + ".integration"),
            Set.of(ROOT + ".object"),
            Set.of(ROOT + ".hierarchy"),
            Set.of(ROOT + ".client.error", ROOT + ".client.tls"),
            Set.of(ROOT + ".client.transport"),
            Set.of(ROOT + ".client.login"),
            Set.of(ROOT + ".client.request"),
            Set.of(ROOT + ".client.api"),
            Set.of(ROOT + ".client.watching"),
            Set.of(ROOT + ".persistence.conventions"),
            Set.of(ROOT + ".persistence.progress", ROOT + ".persistence.diffbase"),
            Set.of(ROOT + ".persistence"),
            Set.of(ROOT + ".engine.cause"),
            Set.of(ROOT + ".engine.handling.declaration"),
            Set.of(ROOT + ".engine.handling.registry"),
            Set.of(ROOT + ".engine.handling.context", ROOT + ".engine.handling.progress"),
            Set.of(ROOT + ".engine.handling.selection"),
            Set.of(ROOT + ".engine.handling.invocation"),
            Set.of(ROOT + ".engine.handling.change"),
            Set.of(
                    ROOT + ".engine.observation",
                    ROOT + ".engine.patching",
                    ROOT + ".engine.daemon",
                    ROOT + ".engine.index",
                    ROOT + ".engine.peering",
                    ROOT + ".engine.injection"),
            Set.of(
                    ROOT + ".engine.activity",
                    ROOT + ".engine.probe",
                    ROOT + ".engine.leaderelection",
                    ROOT + ".engine.posting",
                    ROOT + ".engine.registration"),
            Set.of(ROOT + ".engine.processing"),
            Set.of(ROOT + ".engine.queueing"),
            Set.of(ROOT + ".engine.orchestration"),
            Set.of(ROOT + ".engine"));

    private static final String OPERATOR = ROOT + ".Operator";

    /** Where users come in: building an operator, its settings, and the tools for handlers are the steps up. */
    private static final Map<String, String> STEPS_UP = Map.of(
            OPERATOR,
            ROOT + ".engine",
            ROOT + ".Kopf",
            ROOT + ".hierarchy",
            ROOT + ".OperatorSettings",
            ROOT + ".settings");

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

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("/checklist/"))
            .importPackages(ROOT);

    @Test
    void looksAtTheWholeCore() {
        assertThat(CORE).hasSizeGreaterThan(30);
        assertThat(CORE.contain(ROOT + ".json.Json")).isTrue();
        assertThat(CORE.contain(LayersTest.class)).isFalse();
    }

    @Test
    void everyPackageHasItsLayer() {
        assertThat(CORE.stream()
                        .map(JavaClass::getPackageName)
                        .filter(name -> layer(name) < 0)
                        .distinct())
                .as("packages without a layer: add them to LAYERS")
                .isEmpty();
    }

    @Test
    void layersUseOnlyThoseBelow() {
        assertThat(CORE.stream().flatMap(LayersTest::stepsUpOrAside)).isEmpty();
    }

    @Test
    void timeAndThreadsAndChanceComeFromRuntime() {
        assertThat(CORE.stream()
                        .filter(type -> !type.getPackageName().startsWith(ROOT + ".runtime"))
                        .flatMap(LayersTest::escapes))
                .isEmpty();
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
        assertThat(isAllowed(ROOT + ".engine.daemon.X", ROOT + ".engine.daemon", ROOT + ".engine.daemon.sub"))
                .isTrue();
        assertThat(isAllowed(ROOT + ".OperatorBuilder", ROOT, ROOT + ".engine")).isFalse();
        assertThat(isAllowed(ROOT + ".client.api.X", ROOT + ".client.api", ROOT + ".client.watching"))
                .isFalse();
        assertThat(isAllowed(
                        ROOT + ".engine.handling.invocation.X",
                        ROOT + ".engine.handling.invocation",
                        ROOT + ".engine.handling.change"))
                .isFalse();
        assertThat(isAllowed(
                        ROOT + ".engine.handling.context.X",
                        ROOT + ".engine.handling.context",
                        ROOT + ".engine.handling.progress"))
                .isFalse();
        assertThat(isAllowed(OPERATOR, ROOT, ROOT + ".engine")).isTrue();
        assertThat(isAllowed(OPERATOR, ROOT, ROOT + ".engine.queueing")).isFalse();
        assertThat(isAllowed(OPERATOR, ROOT, ROOT + ".hierarchy")).isFalse();
        assertThat(layer(ROOT + ".unheard")).isNegative();
    }

    private static Stream<String> stepsUpOrAside(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(edge -> edge.getTargetClass().getBaseComponentType())
                .filter(used -> layer(used.getPackageName()) >= 0 && layer(type.getPackageName()) >= 0)
                .filter(used -> !isAllowed(type.getName(), type.getPackageName(), used.getPackageName()))
                .map(used -> type.getName() + " must not use " + used.getName())
                .distinct();
    }

    private static boolean isAllowed(String type, String from, String to) {
        boolean stepsUp = to.equals(STEPS_UP.get(type.replaceFirst("\\$.*", "")));
        return stepsUp || member(from).equals(member(to)) || layer(from) > layer(to);
    }

    private static int layer(String packageName) {
        String member = member(packageName);
        for (int layer = 0; layer < LAYERS.size(); layer++) {
            if (LAYERS.get(layer).contains(member)) {
                return layer;
            }
        }
        return -1;
    }

    /** Answers the named package that a package belongs to; itself if there is none but the roots. */
    private static String member(String packageName) {
        return LAYERS.stream()
                .flatMap(Set::stream)
                .filter(name -> !name.equals(ROOT) && !name.equals(ROOT + ".engine"))
                .filter(name -> packageName.equals(name) || packageName.startsWith(name + "."))
                .max(Comparator.comparingInt(String::length))
                .orElse(packageName);
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
    }
}
