package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * What was meant for one object does not come to another one of its name, whatever it is. Method: just before a request
 * is carried out, another object takes the name; in the end it has what was achieved for it, and nothing else. With and
 * without a subresource for the status, where a server does not look at the uid.
 */
class NamesakesTest {
    private static final String FINALIZER = "kopf.zalando.org/KopfFinalizerMarker";
    private static final String ANOTHER = "uid-another";

    private @Nullable Scenario scenario;
    /** The other object just before that request, and whether the request has left it so. */
    private @Nullable ObjectNode before;

    private boolean untouched;

    @AfterEach
    void end() {
        story().close();
    }

    private Scenario story() {
        return java.util.Objects.requireNonNull(scenario);
    }

    private static ObjectNode labelled(String uid, String app) {
        ObjectNode object = Scenario.example();
        ObjectNode metadata = object.withObject("/metadata");
        metadata.put("uid", uid);
        metadata.putObject("labels").put("app", app);
        return object;
    }

    /** Lives until all is done; before the first PATCH of that kind, the other object takes the place of the first. */
    private void live(
            boolean statusSubresource,
            UnaryOperator<OperatorBuilder> handlers,
            Predicate<String> moment,
            ObjectNode another,
            Runnable afterwards) {
        Scenario story = new Scenario(statusSubresource);
        scenario = story;
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest request) {
                byte[] body = request.body();
                if (before == null
                        && request.method().equals("PATCH")
                        && body != null
                        && moment.test(new String(body, StandardCharsets.UTF_8))) {
                    story.server.change("x", "metadata.finalizers", null);
                    if (story.server.exists("x")) {
                        story.server.delete("x");
                    }
                    story.server.create(another);
                    afterwards.run();
                    before = story.server.object("x");
                }
            }

            @Override
            public void after(TransportRequest request) {
                untouched |= before != null
                        && story.server.exists("x")
                        && story.server.object("x").equals(before);
            }
        });
        story.start(handlers);
        story.server.create(labelled("uid-x", "web"));
        story.pass(Duration.ofSeconds(30));
        assertThat(untouched).isTrue();
    }

    private @Nullable Object noted(HandlerContext context) {
        story().calls.add(context.handlerId() + " " + context.uid());
        return null;
    }

    /** A result that shows all objects that it was achieved for, should it come to more than one. */
    private Map<String, Boolean> resultOf(HandlerContext context) {
        noted(context);
        return Map.of(context.uid(), true);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noFinalizerIsPutOnAnotherObject(boolean statusSubresource) {
        live(
                statusSubresource,
                builder -> builder.onDelete("kex", "delete", h -> h.labels("app=web"), this::noted),
                patch -> patch.contains("finalizers"),
                labelled(ANOTHER, "none"),
                () -> {});
        assertThat(story().at("/metadata/uid").asString()).isEqualTo(ANOTHER);
        assertThat(story().at("/metadata/finalizers").isEmpty()).isTrue();
    }

    /** Which would be gone without its deletion having been handled. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noFinalizerIsTakenFromAnotherObject(boolean statusSubresource) {
        ObjectNode another = labelled(ANOTHER, "web");
        another.withObject("/metadata").putArray("finalizers").add(FINALIZER);
        live(
                statusSubresource,
                builder -> builder.onDelete("kex", "delete", this::noted).onCreate("kex", "create", context -> {
                    story().server.delete("x");
                    return noted(context);
                }),
                patch -> patch.contains("finalizers") && story().calls.contains("delete uid-x"),
                another,
                () -> story().server.delete("x"));
        // Its creation may be handled before its deletion is seen, or not: that is left to the order of events.
        assertThat(story().calls)
                .startsWith("create uid-x", "delete uid-x")
                .endsWith("delete " + ANOTHER)
                .doesNotHaveDuplicates();
        assertThat(story().server.exists("x")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noCheckpointIsWrittenToAnotherObject(boolean statusSubresource) {
        live(
                statusSubresource,
                builder -> builder.settings(settings -> settings.execution().checkpoint(Duration.ZERO))
                        .onCreate("kex", "a", this::resultOf)
                        .onCreate("kex", "b", this::resultOf),
                patch -> patch.contains("uid-x\":true"),
                labelled(ANOTHER, "web"),
                () -> {});
        assertThat(story().calls).containsSubsequence("a uid-x", "a " + ANOTHER, "b " + ANOTHER);
        assertThat(story().at("/status"))
                .isEqualTo(Scenario.json("{'a':{'uid-another':true},'b':{'uid-another':true}}"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingOfADaemonIsWrittenToAnotherObject(boolean statusSubresource) {
        live(
                statusSubresource,
                builder -> builder.onDaemon("kex", "daemon", context -> {
                            context.patch().annotation("daemon-of", context.uid());
                            return resultOf(context);
                        })
                        .onTimer("kex", "timer", h -> h.interval(Duration.ofMinutes(1)), this::resultOf),
                patch -> patch.contains("uid-x\":true"),
                labelled(ANOTHER, "web"),
                () -> {});
        assertThat(story().at("/status"))
                .isEqualTo(Scenario.json("{'daemon':{'uid-another':true},'timer':{'uid-another':true}}"));
        assertThat(story().at("/metadata/annotations/daemon-of").asString()).isEqualTo(ANOTHER);
    }
}
