package dev.kopf4j.devcluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.kopf4j.devcluster.http.HttpFrontend;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the layers of the dev cluster: each package uses those of lower layers only. */
class LayersTest {
    private static final String ROOT = "dev.kopf4j.devcluster";

    /** From the bottom up, without the root's name in front. Packages of one layer do not know each other. */
    private static final List<Set<String>> LAYERS = List.of(
            Set.of("api", "json", "value"),
            Set.of("authentication", "status", "storage"),
            Set.of("journal", "schema", "selector"),
            Set.of("authorization", "cel", "certificate"),
            Set.of("http", "resource"),
            Set.of("conversion", "meta", "printing", "types"),
            Set.of("fieldmanager", "patch", "response", "strategy"),
            Set.of("admission", "discovery", "faultinjection", "request", "strategy.core.volume", "strategy.pod"),
            Set.of(
                    "registry",
                    "strategy.admissionregistration",
                    "strategy.apiextensions",
                    "strategy.apps",
                    "strategy.autoscaling",
                    "strategy.batch",
                    "strategy.certificates",
                    "strategy.coordination",
                    "strategy.core.service",
                    "strategy.discovery",
                    "strategy.networking",
                    "strategy.policy",
                    "strategy.rbac",
                    "strategy.scheduling",
                    "strategy.storage"),
            Set.of("strategy.core"),
            Set.of("controller.apiextensions", "endpoints"),
            Set.of("controller", "controller.workload"),
            Set.of(""));

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
            ROOT + ".http",
            ROOT + ".certificate",
            ROOT + ".DevCluster",
            ROOT + ".Options",
            ROOT + ".SystemTaskScheduler");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void looksAtTheWholeModule() {
        assertThat(CLASSES).hasSizeGreaterThan(200);
        assertThat(CLASSES.contain(ROOT + ".json.Json")).isTrue();
        assertThat(CLASSES.contain(LayersTest.class)).isFalse();
    }

    @Test
    void everyPackageHasItsLayer() {
        assertThat(CLASSES.stream()
                        .map(JavaClass::getPackageName)
                        .filter(name -> layer(name) < 0)
                        .distinct())
                .as("packages without a layer: add them to LAYERS")
                .isEmpty();
    }

    @Test
    void layersUseOnlyThoseBelow() {
        assertThat(CLASSES.stream().flatMap(LayersTest::stepsUpOrAside)).isEmpty();
    }

    @Test
    void timeAndThreadsAndChanceComeFromOutside() {
        assertThat(CLASSES.stream()
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
        assertThat(stepsUpOrAside(CLASSES.get(HttpFrontend.class))).isEmpty();
        assertThat(isAllowed(ROOT + ".json", ROOT + ".storage")).isFalse();
        assertThat(isAllowed(ROOT + ".storage", ROOT + ".status")).isFalse();
        assertThat(isAllowed(ROOT + ".strategy", ROOT + ".strategy.core")).isFalse();
        assertThat(isAllowed(ROOT + ".strategy.core", ROOT + ".strategy")).isTrue();
        assertThat(isAllowed(ROOT + ".http", ROOT)).isFalse();
        assertThat(isAllowed(ROOT, ROOT + ".http")).isTrue();
        assertThat(layer(ROOT + ".unheard")).isNegative();
        assertThat(layer("dev.kopf4j")).isNegative();
    }

    private static Stream<String> stepsUpOrAside(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(edge -> edge.getTargetClass().getBaseComponentType())
                .filter(used -> layer(used.getPackageName()) >= 0)
                .filter(used -> !isAllowed(type.getPackageName(), used.getPackageName()))
                .map(used -> type.getName() + " must not use " + used.getName())
                .distinct();
    }

    private static boolean isAllowed(String from, String to) {
        return from.equals(to) || layer(from) > layer(to);
    }

    /** The number of a package's layer, from 0; negative if it has none. */
    private static int layer(String packageName) {
        if (!packageName.startsWith(ROOT)) {
            return -1;
        }
        String name = packageName.equals(ROOT) ? "" : packageName.substring(ROOT.length() + 1);
        for (int layer = 0; layer < LAYERS.size(); layer++) {
            if (LAYERS.get(layer).contains(name)) {
                return layer;
            }
        }
        return -1;
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
