package dev.kopf4j.engine.posting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.Kopf;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;

/** Kubernetes events that handlers post. {@link EventPosterTest} tests the queue behind it. */
class HandlerEventsTest {
    private static final Map<String, Object> POD = Map.of(
            "apiVersion", "v1", "kind", "Pod", "metadata", Map.of("name", "p", "namespace", "other", "uid", "u"));

    @AutoClose
    private final Scenario story = new Scenario();

    private List<String> posted() {
        return story.server.events().stream()
                .map(event -> event.at("/involvedObject/name").asString("") + " " + text(event, "type") + " "
                        + text(event, "reason") + ": " + text(event, "message"))
                .toList();
    }

    private static String text(JsonNode event, String key) {
        return event.path(key).asString("");
    }

    @Test
    @Tag("I01")
    @Tag("L40")
    void eventsAreAboutTheObjectBeingHandled() {
        story.server.create(Scenario.example());
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            Kopf.event("Custom", "One", "first");
            Kopf.info("Two", "second");
            Kopf.warn("Three", "third");
            Kopf.exception(new IllegalStateException("fourth"));
            return null;
        }));
        assertThat(posted())
                .containsExactly(
                        "x Custom One: first",
                        "x Normal Two: second",
                        "x Warning Three: third",
                        "x Error IllegalStateException: fourth");
        assertThat(story.server.events().getFirst().path("involvedObject"))
                .hasToString("{\"apiVersion\":\"kopf.dev/v1\",\"kind\":\"KopfExample\",\"name\":\"x\","
                        + "\"uid\":\"uid-x\",\"namespace\":\"ns\"}");
    }

    @Test
    @Tag("I01")
    @Tag("L40")
    void eventsAreAboutGivenObjectsOfAllForms() {
        story.server.create(Scenario.example());
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            Kopf.event(POD, "Custom", "Map", "");
            Kopf.info(context.body(), "Body", "");
            Kopf.warn(Scenario.example("tree"), "Tree", "");
            Kopf.exception(List.of(POD, List.of(context, Scenario.example("nested"))), "Many", "hm", null);
            Kopf.exception(POD, new IllegalStateException("oh"));
            return null;
        }));
        assertThat(posted())
                .containsExactly(
                        "p Custom Map: ",
                        "x Normal Body: ",
                        "tree Warning Tree: ",
                        "p Error Many: hm",
                        "x Error Many: hm",
                        "nested Error Many: hm",
                        "p Error IllegalStateException: oh");
    }

    @Test
    @Tag("L40")
    void whatIsNoObjectIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kopf.info(42, "R", "m"))
                .withMessageContaining("not an object of Kubernetes: java.lang.Integer");
    }

    @Test
    @Tag("L52")
    void outsideOfHandlersThereIsNobodyToPost() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Kopf.info("R", "m"))
                .withMessageContaining("outside of a handler")
                .withMessageContaining("Kopf.wrap");
        assertThatIllegalStateException()
                .isThrownBy(() -> Kopf.info(POD, "R", "m"))
                .withMessageContaining("outside of a handler");
    }

    private static Handler posting(String what) {
        return new Poster(what);
    }

    /** Posts an event, and makes an object belong to the one that is handled. */
    private record Poster(String what) implements Handler {
        @Override
        public @Nullable Object handle(HandlerContext context) {
            Map<String, Object> child = new LinkedHashMap<>();
            Kopf.adopt(child);
            Kopf.info(what, "owned by " + child.toString().replaceAll(".*uid=([a-z-]+).*", "$1"));
            return null;
        }
    }

    @Test
    @Tag("L52")
    void handlersOfAllKindsKnowTheirObject() {
        story.server.create(Scenario.handled());
        story.start(builder -> builder.onIndex("kex", "idx", posting("Index"))
                .onEvent("kex", "eve", posting("Event"))
                .onResume("kex", "res", posting("Resume"))
                .onCreate("kex", "cre", context -> {
                    context.subHandlers().add("sub", posting("Sub"));
                    return posting("Create").handle(context);
                })
                .onUpdate("kex", "upd", posting("Update"))
                .onField("kex", "fld", h -> h.field("spec.field"), posting("Field"))
                .onDelete("kex", "del", posting("Delete"))
                .onDaemon("kex", "dmn", posting("Daemon"))
                .onTimer("kex", "tmr", h -> h.interval(Duration.ofHours(1)), posting("Timer")));
        story.server.create(Scenario.example("y"));
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofSeconds(30));
        assertThat(posted())
                .filteredOn(line -> line.startsWith("x "))
                .extracting(line -> line.replaceAll("x Normal (.*): owned by uid-x", "$1"))
                .contains("Index", "Event", "Resume", "Update", "Field", "Delete", "Daemon", "Timer")
                .allMatch(word -> word.matches("[A-Z][a-z]+"));
        assertThat(posted()).contains("y Normal Create: owned by uid-y", "y Normal Sub: owned by uid-y");
    }

    @Test
    @Tag("L52")
    void theContextCanBeCarriedIntoOtherThreads() {
        AtomicReference<Runnable> carried = new AtomicReference<>(() -> {});
        story.server.create(Scenario.example());
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            carried.set(Kopf.wrap(() -> Kopf.info("Later", "m")));
            return null;
        }));
        carried.get().run();
        story.rest();
        assertThat(posted()).containsExactly("x Normal Later: m");
    }

    @Test
    @Tag("I05")
    @Tag("I12")
    void linesOfHandlersArePostedIfWantedAndThoseOfTheFrameworkAreNot() {
        story.server.create(Scenario.example());
        story.start(builder -> builder.settings(
                        settings -> settings.posting().loggers(true).level(Level.DEBUG))
                .onEvent("kex", "eve", context -> {
                    context.logger().info("an event");
                    return null;
                })
                .onCreate("kex", "cre", context -> {
                    context.logger().warn("a {}", "warning");
                    return null;
                })
                .onDelete("kex", "del", context -> null));
        assertThat(posted())
                .contains(
                        "x Debug Logging: Handler 'cre' is invoked.",
                        "x Warning Logging: a warning",
                        "x Normal Logging: Handler 'cre' succeeded.",
                        "x Normal Logging: Creation is processed: 1 succeeded; 0 failed.")
                .noneMatch(line ->
                        line.contains("an event") || line.contains("the finalizer") || line.contains("patching"));
    }

    private static UnaryOperator<OperatorBuilder> postingAll(UnaryOperator<OperatorBuilder> handlers) {
        return builder -> handlers.apply(
                builder.settings(settings -> settings.posting().loggers(true).level(Level.DEBUG)));
    }

    @Test
    @Tag("I05")
    @Tag("I12")
    void linesOfDaemonsArePostedAndThoseAboutTheirEndAreNot() {
        story.server.create(Scenario.example());
        story.start(postingAll(builder -> builder.onDaemon(
                "kex",
                "dmn",
                h -> h.cancellationBackoff(Duration.ofSeconds(1)).cancellationTimeout(Duration.ofSeconds(1)),
                context -> {
                    context.logger().info("at work");
                    Deadline end = story.world.after(Duration.ofSeconds(10));
                    while (!end.hasPassed(story.world)) {
                        try {
                            story.world.sleep(Duration.ofSeconds(10));
                        } catch (InterruptedException e) {
                            context.logger().info("no, not yet");
                        }
                    }
                    return null;
                })));
        story.server.delete("x");
        story.pass(Duration.ofSeconds(20));
        assertThat(posted())
                .containsExactly(
                        "x Debug Logging: Daemon 'dmn' is invoked.",
                        "x Normal Logging: at work",
                        "x Normal Logging: no, not yet");
        assertThat(story.lines(ch.qos.logback.classic.Level.DEBUG))
                .anyMatch(line -> line.contains("signalled to exit gracefully"))
                .anyMatch(line -> line.contains("signalled to exit by force"))
                .anyMatch(line -> line.contains("did not exit in time"));
    }

    @Test
    @Tag("I05")
    @Tag("I12")
    void errorsOfTheFrameworkAreNotPosted() {
        story.server.create(Scenario.example());
        story.server.refuse("status.dmn");
        AtomicBoolean failed = new AtomicBoolean();
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public @Nullable TransportResponse instead(TransportRequest request) {
                boolean fails = request.method().equals("PATCH")
                        && request.path().contains("/kopfexamples/x")
                        && !failed.getAndSet(true);
                return fails ? FakeApiServer.status(500, "InternalError", "no such luck") : null;
            }
        });
        story.start(postingAll(builder -> builder.settings(s -> s.networking().errorBackoffs(List.of()))
                .onDaemon("kex", "dmn", h -> h.initialDelay(Duration.ofSeconds(5)), context -> "refused")
                .onCreate("kex", "cre", context -> null)));
        story.pass(Duration.ofSeconds(20));
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR))
                .anyMatch(line -> line.contains("Throttling for"))
                .anyMatch(line -> line.contains("The server refuses the changes"));
        assertThat(posted())
                .noneMatch(line -> line.contains("Throttling") || line.contains("refuses"))
                .contains("x Normal Logging: Daemon 'dmn' succeeded.");
    }

    @Test
    @Tag("I05")
    @Tag("I12")
    void linesOfIndexFunctionsAreNotPostedAndTheirInfosAreDetails() {
        story.server.create(Scenario.example());
        story.start(postingAll(builder -> builder.onIndex("kex", "idx", context -> {
            context.logger().info("an information");
            context.logger().warn("a warning");
            return null;
        })));
        assertThat(posted()).isEmpty();
        assertThat(story.infos()).contains("info: an information", "warn: a warning");
        story.log.level(ch.qos.logback.classic.Level.INFO);
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.infos().stream().filter(line -> line.endsWith("an information")))
                .hasSize(1);
        assertThat(story.infos().stream().filter(line -> line.endsWith("a warning")))
                .hasSize(2);
    }

    @Test
    @Tag("I05")
    void linesOfHandlersAreNotPostedByDefault() {
        story.server.create(Scenario.example());
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            context.logger().warn("a warning");
            return null;
        }));
        assertThat(posted()).isEmpty();
    }

    @Test
    @Tag("I01")
    void objectsThatAreNotHandledAreToldOf() {
        var large = Scenario.example();
        large.withObject("/spec").put("text", "a".repeat(300_000));
        story.server.create(large);
        story.start(builder -> builder.onCreate("kex", "cre", context -> null));
        story.pass(java.time.Duration.ofMinutes(1));
        assertThat(posted()).singleElement().asString().startsWith("x Warning NotHandled: ");
    }
}
