package dev.kopf4j.engine.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OnCreate;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.ApiDiscovery.DiscoveredResources;
import dev.kopf4j.engine.observation.CrdObserver.CrdState;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.engine.registration.RegistryBuilder.Registration;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests {@link ResourceDiscovery} in simulated time: it sees what the server's discovery answers at each moment. */
class ResourceDiscoveryTest {
    private static final CrdState DEFINED = new CrdState("kopf.dev", "kopfexamples", false, false, Set.of("v1"));
    private static final CrdState DELETED = new CrdState("kopf.dev", "kopfexamples", true, false, Set.of("v1"));
    private static final Resource EXAMPLES = new Resource(
            "kopf.dev",
            "v1",
            "kopfexamples",
            "KopfExample",
            "kopfexample",
            Set.of(),
            Set.of(),
            Set.of(),
            true,
            true,
            Set.of());

    private final SimulatedPlatform platform = new SimulatedPlatform(1, Instant.EPOCH);
    private final List<String> looks = new ArrayList<>();
    private final ServedResources served = new ServedResources(
            this::answer, RegistryBuilder.build(List.of(new Registration.Annotated(new Handlers()))));
    private final ResourceDiscovery lookup = new ResourceDiscovery(platform, served, known -> {});
    private List<Resource> discovered = List.of();

    static class Handlers {
        @OnCreate("kopfexamples")
        void create() {}
    }

    private DiscoveredResources answer(@Nullable Set<String> groups) {
        looks.add(groups == null ? "(all)" : String.join(",", groups));
        return new DiscoveredResources(discovered, Set.of());
    }

    @BeforeEach
    void start() {
        platform.spawn("lookup", lookup);
    }

    @Test
    void looksUntilADefinitionIsDiscovered() {
        lookup.expect(DEFINED);
        platform.runFor(Duration.ofMillis(150));
        assertThat(looks).hasSize(2);
        discovered = List.of(EXAMPLES);
        platform.runFor(Duration.ofSeconds(1));
        assertThat(served.known()).containsExactly(EXAMPLES);
        int enough = looks.size();
        platform.runFor(Duration.ofMinutes(10));
        assertThat(looks).hasSize(enough);
    }

    @Test
    void looksUntilADeletedDefinitionIsGone() {
        discovered = List.of(EXAMPLES);
        lookup.expect(DEFINED);
        platform.runFor(Duration.ofSeconds(1));
        assertThat(looks).hasSize(1);
        lookup.expect(DELETED);
        platform.runFor(Duration.ofMillis(10));
        assertThat(served.known()).containsExactly(EXAMPLES);
        discovered = List.of();
        platform.runFor(Duration.ofSeconds(1));
        assertThat(served.known()).isEmpty();
    }

    @Test
    void looksLessAndLessOftenForWhatDoesNotCome() {
        lookup.expect(DEFINED);
        platform.runFor(Duration.ofMinutes(10));
        assertThat(looks).hasSizeBetween(10, 25);
    }

    @Test
    void waitsNoLongerForADefinitionThatWasDeletedBeforeItWasDiscovered() {
        lookup.expect(DEFINED);
        platform.runFor(Duration.ofMillis(10));
        lookup.expect(DELETED);
        platform.runFor(Duration.ofMillis(10));
        assertThat(looks).hasSize(2);
        platform.runFor(Duration.ofMinutes(10));
        assertThat(looks).hasSize(2);
    }
}
