package dev.kopf4j.engine.simulation;

import dev.kopf4j.Index;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An operator for pods and for the resource of a given scenario, which has the clock and the other server. */
public final class SimulatedPods {
    public final PodServer server;
    private final Scenario story;
    private @Nullable OperatorHandle operator;
    private int looks;

    public SimulatedPods(Scenario story) {
        this.story = story;
        this.server = new PodServer(story.world, story.server);
    }

    public void start(UnaryOperator<OperatorBuilder> handlers) {
        operator = SimulatedOperator.start(
                story.world,
                server,
                builder -> handlers.apply(builder.clusterwide()).onEvent("kex", "look", context -> {
                    look(context.name(), context.index(context.spec().getString("index", "")));
                    return null;
                }));
        story.pass(Duration.ofSeconds(2));
    }

    private final Map<String, Map<@Nullable String, List<String>>> seen = new HashMap<>();

    private void look(String name, Index<@Nullable String, String> index) {
        Map<@Nullable String, List<String>> content = new HashMap<>();
        index.forEach((key, store) -> content.put(key, List.copyOf(store)));
        seen.put(name, content);
    }

    /** What handlers find in an index at the moment. */
    public Map<@Nullable String, List<String>> content(String id) {
        String name = "look-" + looks++;
        var object = Scenario.example(name);
        object.withObject("/spec").put("index", id);
        story.server.create(object);
        story.rest();
        return seen.getOrDefault(name, Map.of());
    }

    /** What the operator says is wrong. */
    public List<String> troubles() {
        return Objects.requireNonNull(operator).state().troubles();
    }

    public void stop() {
        if (operator != null) {
            operator.stop();
            story.pass(Duration.ofSeconds(10));
        }
    }
}
