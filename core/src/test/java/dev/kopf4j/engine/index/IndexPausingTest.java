package dev.kopf4j.engine.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Index;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The indices of an operator that is paused for a while because another one has a higher priority. */
class IndexPausingTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster()
            .serving("kopf.dev", "kopfexamples", "KopfExample", true)
            .serving("kopf.dev", "clusterkopfpeerings", "ClusterKopfPeering", false);
    private final List<String> calls = new ArrayList<>();
    private Map<String, ?> index = Map.of();
    private @Nullable OperatorHandle operator;

    @BeforeEach
    void start() {
        cluster.put("clusterkopfpeerings", null, "default", "{}");
        operator = SimulatedOperator.start(
                platform,
                cluster.transport("me", platform),
                builder -> builder.clusterwide()
                        .onIndex("kopfexamples", "names", context -> {
                            platform.sleep(Duration.ofMillis(100));
                            return Map.of(context.name(), "");
                        })
                        .onEvent("kopfexamples", "event", context -> {
                            Index<String, String> names = context.index("names");
                            index = names;
                            calls.add(context.name() + " sees " + new TreeSet<>(names.keySet()));
                            return null;
                        }));
        pass(3);
    }

    @AfterEach
    void stop() {
        if (operator != null) {
            operator.stop();
            pass(30);
        }
    }

    private void pass(int seconds) {
        platform.runFor(Duration.ofSeconds(seconds));
    }

    private void create(String name) {
        cluster.put("kopfexamples", "ns", name, "{'spec':{}}");
    }

    private void letAnotherOneAct(int seconds) {
        cluster.patch(
                "clusterkopfpeerings",
                null,
                "default",
                "{'status':{'other':{'priority':100,'lifetime':" + seconds + ",'lastseen':'"
                        + platform.now().atOffset(ZoneOffset.UTC).toLocalDateTime() + "+00:00'}}}");
        pass(3);
    }

    /** What has come and gone meanwhile is in the index, or is not, before any handler goes on. */
    @Test
    @Tag("F06")
    void handlersGoOnWhenTheIndexIsAsTheClusterIs() {
        create("a");
        create("b");
        pass(3);
        letAnotherOneAct(60);
        calls.clear();
        cluster.delete("kopfexamples", "ns", "a");
        create("c");
        create("d");
        pass(30);
        assertThat(calls).isEmpty();
        pass(60);
        assertThat(calls)
                .containsExactlyInAnyOrder(
                        "a sees [b, c, d]", "b sees [b, c, d]", "c sees [b, c, d]", "d sees [b, c, d]");
    }

    /** They are not looked at any more: nobody would notice their end. */
    @Test
    @Tag("F03")
    void objectsOfAResourceThatIsNotServedAnyMoreLeaveTheIndex() {
        String definition = "kopfexamples.kopf.dev";
        cluster.put(
                "customresourcedefinitions",
                null,
                definition,
                "{'spec':{'group':'kopf.dev','names':{'plural':'kopfexamples','kind':'KopfExample'},"
                        + "'versions':[{'name':'v1','served':true}]}}");
        create("a");
        pass(3);
        assertThat(index).containsOnlyKeys("a");
        cluster.stopServing("kopfexamples");
        cluster.delete("customresourcedefinitions", null, definition);
        pass(10);
        assertThat(index).isEmpty();
    }
}
