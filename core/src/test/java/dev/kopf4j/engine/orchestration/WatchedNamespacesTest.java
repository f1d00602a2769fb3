package dev.kopf4j.engine.orchestration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorHandle;
import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Which namespaces are watched, and by which URLs: tests {@link WatchTargets} and {@code NamespaceObserver}. */
@Tag("L58")
class WatchedNamespacesTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Scenario.START);
    private final FakeApiServer server = new FakeApiServer(platform, false);
    private final Map<String, ObjectNode> namespaces = new TreeMap<>();
    private final List<String> open = new ArrayList<>();
    private @Nullable PushedResponseStream namespaceStream;
    private boolean namespacesAskedFor;
    private int collectionsListed;
    private int listedWhenReady = -1;
    private boolean forbidden;
    private int version = 10;

    private void add(String name) {
        ObjectNode namespace = Scenario.json("{'kind':'Namespace','metadata':{'name':'" + name + "'}}");
        namespace.withObject("/metadata").put("resourceVersion", Integer.toString(version++));
        namespaces.put(name, namespace);
        tell("ADDED", namespace);
    }

    private void tell(String type, ObjectNode namespace) {
        if (namespaceStream != null) {
            ObjectNode event = Json.object().put("type", type);
            event.set("object", namespace);
            namespaceStream.feed(ByteBuffer.wrap((Json.text(event) + "\n").getBytes(StandardCharsets.UTF_8)));
        }
        platform.runFor(Duration.ofSeconds(1));
    }

    /** What the fake server does not serve: namespaces, and collections of one namespace. */
    private final class Namespaced implements Transport {
        private final Transport rest = server.transport(platform);

        @Override
        public TransportResponse send(TransportRequest transportRequest, Deadline deadline)
                throws IOException, InterruptedException {
            return rest.send(transportRequest, deadline);
        }

        @Override
        public ResponseStream open(TransportRequest transportRequest, Deadline headersBy)
                throws IOException, InterruptedException {
            String path = transportRequest.path().replaceAll("\\?.*", "");
            if (path.equals("/api/v1/namespaces")) {
                namespacesAskedFor = true;
                return forbidden
                        ? refused()
                        : transportRequest.isWatch() ? watched() : listed(new ArrayList<>(namespaces.values()));
            }
            if (path.startsWith("/apis/kopf.dev/v1/") && path.endsWith("kopfexamples")) {
                if (transportRequest.isWatch()) {
                    return quiet(path);
                }
                platform.sleep(Duration.ofSeconds(1));
                collectionsListed++;
                return listed(List.of());
            }
            return rest.open(transportRequest, headersBy);
        }

        private ResponseStream watched() {
            PushedResponseStream stream =
                    new PushedResponseStream(platform, 200, Map.of(), PushedResponseStream.ChunkProducer.NONE);
            namespaceStream = stream;
            return stream;
        }

        private ResponseStream quiet(String path) {
            String title = path.replace("/apis/kopf.dev/v1/", "");
            open.add(title);
            return new PushedResponseStream(platform, 200, Map.of(), new PushedResponseStream.ChunkProducer() {
                @Override
                public void cancel() {
                    open.remove(title);
                }
            });
        }

        private ResponseStream listed(List<ObjectNode> items) {
            ObjectNode list = Scenario.json("{'kind':'List','metadata':{'resourceVersion':'10'}}");
            list.putArray("items").addAll(items);
            return answered(200, list);
        }

        private ResponseStream refused() {
            return answered(403, Scenario.json("{'kind':'Status','code':403,'message':'namespaces is forbidden'}"));
        }

        private ResponseStream answered(int status, ObjectNode body) {
            PushedResponseStream stream =
                    new PushedResponseStream(platform, status, Map.of(), PushedResponseStream.ChunkProducer.NONE);
            stream.feed(ByteBuffer.wrap(Json.bytes(body)));
            stream.end();
            return stream;
        }

        @Override
        public void close() {
            rest.close();
        }
    }

    private void run(List<String> patterns, Runnable story) {
        OperatorHandle operator = SimulatedOperator.start(
                platform,
                new Namespaced(),
                builder -> (patterns.isEmpty()
                                ? builder.clusterwide()
                                : builder.namespaces(patterns.toArray(String[]::new)))
                        .whenReady(() -> listedWhenReady = collectionsListed)
                        .onCreate("kex", "cre", context -> null));
        platform.runFor(Duration.ofSeconds(5));
        story.run();
        operator.stop();
        platform.runFor(Duration.ofMinutes(1));
        assertThat(platform.describeTasks()).isEmpty();
    }

    @Test
    void theWholeClusterNeedsNoNamespaces() {
        add("a");
        run(List.of(), () -> {
            assertThat(open).containsExactly("kopfexamples");
            assertThat(namespacesAskedFor).isFalse();
        });
    }

    @Test
    void namesAreWatchedAtOnceWhetherTheyExistOrNot() {
        run(List.of("a", "b"), () -> {
            assertThat(open).containsExactlyInAnyOrder("namespaces/a/kopfexamples", "namespaces/b/kopfexamples");
            assertThat(namespacesAskedFor).isFalse();
        });
    }

    @Test
    void patternsAreWatchedByNamespaceAsTheyComeAndGo() {
        add("team-a");
        add("other");
        run(List.of("team-*,!*-test", "fixed"), () -> {
            assertThat(open)
                    .containsExactlyInAnyOrder("namespaces/team-a/kopfexamples", "namespaces/fixed/kopfexamples");
            add("team-b");
            add("team-b-test");
            assertThat(open)
                    .containsExactlyInAnyOrder(
                            "namespaces/team-a/kopfexamples",
                            "namespaces/team-b/kopfexamples",
                            "namespaces/fixed/kopfexamples");
            tell("DELETED", Objects.requireNonNull(namespaces.get("team-a")));
            platform.runFor(Duration.ofSeconds(5));
            assertThat(open)
                    .containsExactlyInAnyOrder("namespaces/team-b/kopfexamples", "namespaces/fixed/kopfexamples");
        });
    }

    /** The namespaces are known for a moment before their streams begin. */
    @Test
    void theOperatorIsReadyOnceTheObjectsOfAllNamespacesAreKnown() {
        for (int i = 0; i < 5; i++) {
            add("team-" + i);
        }
        run(List.of("team-*"), () -> assertThat(listedWhenReady).isEqualTo(5));
    }

    @Test
    void namespacesThatCannotEndYetAreStillWatched() {
        add("a");
        run(List.of("*"), () -> {
            ObjectNode ending = Objects.requireNonNull(namespaces.get("a")).deepCopy();
            ending.withObject("/metadata").put("deletionTimestamp", "2020-01-01T00:00:00Z");
            tell("MODIFIED", ending);
            assertThat(open).as("nothing is known yet").hasSize(1);
            ending.withArray("/status/conditions")
                    .addObject()
                    .put("type", "Content")
                    .put("status", "True");
            tell("MODIFIED", ending.deepCopy());
            assertThat(open).as("something is still in it").hasSize(1);
            ((ObjectNode) ending.at("/status/conditions/0")).put("status", "False");
            tell("MODIFIED", ending.deepCopy());
            platform.runFor(Duration.ofSeconds(5));
            assertThat(open).isEmpty();
        });
    }

    @Test
    void namesAreWatchedIfNamespacesMayNotBeListed() {
        forbidden = true;
        add("team-a");
        run(List.of("team-*", "fixed"), () -> assertThat(open).containsExactly("namespaces/fixed/kopfexamples"));
    }
}
