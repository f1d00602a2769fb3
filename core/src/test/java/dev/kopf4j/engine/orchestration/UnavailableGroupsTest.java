package dev.kopf4j.engine.orchestration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorState;
import dev.kopf4j.engine.probe.ReadinessPage;
import dev.kopf4j.engine.simulation.PodServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Operators while the server of an API group, such as an aggregated one, does not answer. Tests {@link Orchestrator}.
 */
@Tag("L59")
class UnavailableGroupsTest {
    private final Scenario story = new Scenario();
    private final PodServer pods = new PodServer(story.world, story.server);
    private Supplier<OperatorState> state = () -> OperatorState.STARTING;

    @AfterEach
    void end() {
        story.close();
    }

    private void start(UnaryOperator<OperatorBuilder> handlers) {
        SimulatedOperator.start(
                story.world,
                pods,
                builder -> handlers.apply(builder.clusterwide()).metricsListener(new MetricsListener() {
                    @Override
                    public void observe(Supplier<OperatorState> observed) {
                        state = observed;
                    }
                }));
        story.pass(Duration.ofSeconds(5));
    }

    private int readiness() {
        return new ReadinessPage(() -> state.get(), Duration.ofSeconds(70))
                .content()
                .status();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pods.v1", "pods"})
    void operatorsThatDoNotNeedItDoNotMind(String name) {
        story.server.unavailable(true);
        // Without peering, whose objects are of that group, too.
        start(builder -> builder.settings(settings -> settings.peering().standalone(true))
                .onEvent(name, "event", story.saying(context -> "pod " + context.name())));
        pods.add("p1", "node");
        story.rest();
        assertThat(story.calls).containsExactly("pod p1");
        assertThat(readiness()).as("%s", state.get()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"others", "*"})
    void operatorsThatMayNeedItTellOfIt(String name) {
        story.server.unavailable(true);
        start(builder -> builder.settings(settings -> settings.peering().standalone(true))
                .onEvent("pods", "event", context -> null)
                .onEvent(name, "other", context -> null));
        assertThat(state.get().troubles()).containsExactly("the API group 'kopf.dev' does not answer");
    }

    @ParameterizedTest
    @CsvSource({"false, 503", "true, 200"})
    void aResourceThatIsNotServedIsToldForAsLongAsItIsMissing(boolean optional, int status) {
        start(builder -> builder.settings(settings -> settings.scanning().optionalResources(optional))
                .onEvent("kexes", "mistyped", context -> null));
        story.pass(Duration.ofMinutes(10));
        assertThat(readiness()).as("%s", state.get()).isEqualTo(status);
        assertThat(state.get().troubles().toString().contains("kexes")).isEqualTo(!optional);
    }

    @Test
    void operatorsThatNeedItStayUpUnreadyAndTryAgainUntilItIsThere() {
        story.server.unavailable(true);
        start(builder -> builder.onEvent("kex", "event", story.saying(context -> "kex " + context.name()))
                .onEvent("pods", "other", story.saying(context -> "pod " + context.name())));
        pods.add("p1", "node");
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).as("the others are served").containsExactly("pod p1");
        assertThat(state.get().troubles()).singleElement().asString().contains("kopf.dev");
        assertThat(readiness()).isEqualTo(503);
        story.server.unavailable(false);
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).containsExactly("pod p1", "kex x");
        assertThat(readiness()).isEqualTo(200);
    }
}
