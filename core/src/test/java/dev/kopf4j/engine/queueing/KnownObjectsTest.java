package dev.kopf4j.engine.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.Operator;
import dev.kopf4j.Resource;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.engine.OperatorParts;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.cycle.ObjectProcessor;
import dev.kopf4j.engine.cycle.PatchSender.PatchApi;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.index.IndexReadinessGate;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.engine.pausing.PauseReasons;
import dev.kopf4j.engine.pausing.ShardSet;
import dev.kopf4j.engine.queueing.KnownObjects.ObjectTable;
import dev.kopf4j.engine.queueing.KnownObjects.StreamPosition;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.NoChildren;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.hierarchy.ObjectEvent.EventSink;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.ObjectReference.CompactUid;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * The operator remembers nothing of objects that do not exist any more, however they vanished. Tests
 * {@link KnownObjects} and {@link EventDispatcher}.
 */
class KnownObjectsTest {
    private static final Resource KEX = new Resource(
            "kopf.dev",
            "v1",
            new Resource.Names("kopfexamples", "KopfExample", "kopfexample", Set.of(), Set.of()),
            Set.of(),
            true,
            true,
            Set.of("list", "watch", "patch"));

    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final ActionSchedule actionSchedule = new ActionSchedule(platform, "schedule");
    private final List<ObjectEvent> posted = new ArrayList<>();
    private final List<String> counted = new ArrayList<>();
    private final PauseReasons pauses = new PauseReasons(platform, OperatorTrace.NONE);
    private Handler create = context -> {
        throw new TemporaryException("not yet", Duration.ofMinutes(5));
    };
    private PatchApi server = (resource, namespace, name, subresource, type, payload) -> object(name, "50");
    private final List<String> told = new ArrayList<>();
    private final StreamHealth health =
            new StreamHealth(platform, "examples", Duration.ofSeconds(70), OperatorTrace.NONE, () -> {});
    private final ObjectProcessor processor = processor();
    private final EventDispatcher reactor = reactor();

    private ObjectProcessor processor() {
        OperatorPlan plan = OperatorPlan.of(
                Operator.builder().clusterwide().onCreate("kopfexamples", "create", context -> create.handle(context)));
        PatchApi api = (resource, namespace, name, subresource, type, payload) ->
                server.patch(resource, namespace, name, subresource, type, payload);
        HandlerRegistry registry = RegistryBuilder.build(plan.registrations());
        OperatorParts parts = new OperatorParts(
                platform,
                plan.settings(),
                registry,
                new IndexSet(List.of()),
                new OperatorMemos(plan.memo()),
                OperatorTrace.NONE);
        return parts.cycles(api, new NoChildren(), LeadershipFence.OPEN, type -> type, EventSink.NONE)
                .processor(KEX, registry.of(KEX));
    }

    private EventDispatcher reactor() {
        return new EventDispatcher(
                processor,
                actionSchedule,
                new IndexReadinessGate(platform),
                new ResourceWorkers(platform, processor.cycles().settings().queueing()),
                health,
                new UnreadableObjects(platform, KEX, event -> posted.add(event), step -> {
                    if (step instanceof OperatorStep.ObjectUnreadable unreadable) {
                        counted.add(unreadable.resource().plural());
                    }
                }),
                pauses.shards());
    }

    private static ObjectNode object(String name, String version) {
        return Json.parseObject(
                "{'metadata':{'name':'%s','namespace':'ns','uid':'uid-of-%s','resourceVersion':'%s'},'spec':{}}"
                        .formatted(name, name, version)
                        .replace('\'', '"')
                        .getBytes(StandardCharsets.UTF_8));
    }

    private void list(String... names) throws InterruptedException {
        reactor.listener().listStarted();
        for (String name : names) {
            reactor.listener().listed(object(name, "10"));
        }
        reactor.listener().listComplete("10");
        platform.runFor(Duration.ofSeconds(10));
    }

    @Test
    void forgetsDeletedObjectsAndTheirRetries() throws InterruptedException {
        list("a", "b");
        assertThat(reactor.known().size()).isEqualTo(2);
        assertThat(actionSchedule.size()).isEqualTo(2);
        reactor.listener().event(WatchEvent.of(WatchEvent.Type.DELETED, object("a", "60")));
        platform.runFor(Duration.ofSeconds(10));
        assertThat(reactor.known().size()).isEqualTo(1);
        assertThat(actionSchedule.size()).isEqualTo(1);
    }

    @Test
    void countsObjectsAtWorkUntilTheirWorkersLeave() throws InterruptedException {
        reactor.listener().listStarted();
        reactor.listener().listed(object("a", "10"));
        reactor.listener().listed(object("b", "10"));
        assertThat(reactor.waiting()).isEqualTo(2);
        reactor.end();
        assertThat(reactor.waiting()).as("workers have begun, and leave").isEqualTo(2);
        platform.runFor(Duration.ofSeconds(10));
        assertThat(reactor.waiting()).isZero();
    }

    @Test
    void anObjectIsGivenUpOnlyAfterTheCallsThatGoOnAlthoughTheyWereInterrupted() throws InterruptedException {
        create = context -> {
            Deadline end = platform.after(Duration.ofSeconds(30));
            while (!end.hasPassed(platform)) {
                try {
                    platform.sleep(Duration.ofSeconds(30));
                } catch (InterruptedException e) {
                    told.add("interrupted");
                }
            }
            told.add("ended");
            return null;
        };
        reactor.listener().listStarted();
        reactor.listener().listed(object("a", "10"));
        reactor.listener().listComplete("10");
        platform.runFor(Duration.ofSeconds(1));
        pauses.shards().serve(ShardSet.NONE);
        var _ = platform.spawn("giving up", () -> {
            try {
                boolean given = false;
                while (!given) {
                    reactor.giveUp();
                    given = isGivenUp(Duration.ofSeconds(5));
                    told.add("given up: " + given);
                    platform.sleep(Duration.ofSeconds(10));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        platform.runFor(Duration.ofMinutes(2));
        assertThat(told).startsWith("interrupted", "given up: false").endsWith("ended", "given up: true");
        assertThat(reactor.known().size()).isZero();
    }

    private boolean isGivenUp(Duration exitTimeout) throws InterruptedException {
        reactor.interruptGivenUpAt(platform.after(exitTimeout));
        return reactor.awaitGivenUp(platform.after(Duration.ofSeconds(11)));
    }

    /** The object is handled, and the work for it goes on for a while after its interrupt. */
    private void giveUpLateWork(Duration late) throws InterruptedException {
        create = context -> {
            told.add("created");
            return null;
        };
        server = (resource, namespace, name, subresource, type, payload) -> {
            Deadline end = platform.after(Duration.ofMinutes(1));
            while (!end.hasPassed(platform)) {
                try {
                    platform.sleep(Duration.ofSeconds(1));
                } catch (InterruptedException e) {
                    end = platform.after(late);
                }
            }
            throw new InterruptedException();
        };
        list("a");
        platform.runFor(Duration.ofSeconds(1));
        server = (resource, namespace, name, subresource, type, payload) -> object(name, "50");
        pauses.shards().serve(ShardSet.NONE);
        reactor.giveUp();
        var _ = platform.spawn("giving up", () -> {
            try {
                told.add("given up: " + isGivenUp(Duration.ofSeconds(2)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        platform.runFor(Duration.ofSeconds(20));
    }

    /** Steps of its handler may be recorded meanwhile. */
    @Test
    void interruptedWorkHasTheGraceOfInterruptedCalls() throws InterruptedException {
        giveUpLateWork(Duration.ofSeconds(10));
        assertThat(told).containsExactly("created", "given up: true");
    }

    /** The leadership may come back while the work goes on: no other list follows. */
    @Test
    void anObjectThatComesBackWhileItsWorkGoesOnIsHandledAnew() throws InterruptedException {
        giveUpLateWork(Duration.ofMinutes(1));
        pauses.shards().serve(ShardSet.ALL);
        list("a");
        assertThat(told).containsExactly("created", "given up: false");
        platform.runFor(Duration.ofMinutes(2));
        assertThat(told).containsExactly("created", "given up: false", "created");
    }

    private static UnreadableObject unreadable(@Nullable String name, @Nullable String uid, boolean deleted) {
        return new UnreadableObject(name, name == null ? null : "ns", uid, "70", deleted, "it is broken");
    }

    @Test
    @Tag("B09")
    void anObjectThatCannotBeReadIsToldOnceAndCountedEachTime() throws InterruptedException {
        list("a", "b");
        try (LoggerCapture log = new LoggerCapture("kopf4j.objects")) {
            for (int time = 0; time < 3; time++) {
                reactor.listener().unreadable(unreadable("a", "uid-of-a", false));
                reactor.listener().unreadable(unreadable("c", null, false));
                reactor.listener().listStarted();
                reactor.listener().unreadable(unreadable("a", null, false));
                reactor.listener().listed(object("b", "20"));
                reactor.listener().listComplete("20");
                platform.runFor(Duration.ofSeconds(10));
            }
            assertThat(log.lines(Level.WARN))
                    .filteredOn(line -> line.contains("cannot be read"))
                    .hasSize(2);
        }
        assertThat(counted).hasSize(9).containsOnly("kopfexamples");
        assertThat(posted)
                .extracting(event -> event.object().toString() + " " + event.type() + " " + event.reason())
                .containsExactly("ns/a Warning Unreadable", "ns/c Warning Unreadable");
        reactor.listener().event(WatchEvent.of(WatchEvent.Type.MODIFIED, object("a", "80")));
        platform.runFor(Duration.ofSeconds(10));
        reactor.listener().unreadable(unreadable("a", "uid-of-a", false));
        assertThat(posted).hasSize(3);
    }

    @Test
    void anObjectThatCannotBeReadInAListIsNotConcludedToBeGone() throws InterruptedException {
        list("a", "b", "c");
        reactor.listener().listStarted();
        reactor.listener().unreadable(unreadable(null, "uid-of-a", false));
        reactor.listener().unreadable(unreadable("b", null, false));
        reactor.listener().listComplete("20");
        platform.runFor(Duration.ofSeconds(10));
        assertThat(reactor.known().size()).isEqualTo(2);
        reactor.listener().listStarted();
        reactor.listener().unreadable(unreadable(null, null, false));
        reactor.listener().listComplete("30");
        platform.runFor(Duration.ofSeconds(10));
        assertThat(reactor.known().size()).isEqualTo(2);
        reactor.listener().unreadable(unreadable(null, "uid-of-a", true));
        reactor.listener().unreadable(unreadable("b", null, true));
        platform.runFor(Duration.ofSeconds(10));
        assertThat(reactor.known().size()).isZero();
    }

    @Test
    void forgetsObjectsThatAreNotListedAnyMore() throws InterruptedException {
        list("a", "b");
        list("b");
        assertThat(reactor.known().size()).isEqualTo(1);
        list();
        assertThat(reactor.known().size()).isZero();
        assertThat(actionSchedule.size()).isZero();
    }

    private ObjectQueue queue(String uid) {
        ObjectReference reference = new ObjectReference(KEX.apiVersion(), KEX.kind(), "x", uid, "ns");
        return new ObjectQueue(processor.newMemory(uid, reference, true, new StreamPosition(KEX, health)));
    }

    private static String uid(int number, boolean atRandom) {
        return switch (number % 10) {
            case 0 -> "uid-" + number;
            case 1 -> String.format(Locale.ROOT, "00000000-0000-4000-8000-%012d", number);
            default -> new UUID(atRandom ? new Random(number).nextLong() : 0, number).toString();
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theTableHasWhatAMapWouldHave(boolean atRandom) {
        ObjectTable table = new ObjectTable();
        Map<String, ObjectQueue> expected = new HashMap<>();
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            // Now it grows, and now it becomes empty.
            boolean grows = i / 2000 % 2 == 0;
            String uid = uid(random.nextInt(500), atRandom);
            ObjectQueue known = expected.get(uid);
            assertThat(table.find(CompactUid.of(uid))).isSameAs(known);
            if (known == null && (grows || i % 8 == 0)) {
                ObjectQueue added = queue(uid);
                table.add(added);
                expected.put(uid, added);
            } else if (known != null && (!grows || i % 8 == 0)) {
                table.remove(known);
                expected.remove(uid);
            }
            assertThat(table.all()).hasSize(expected.size());
            if (i % 500 == 0) {
                assertThat(table.all()).containsExactlyInAnyOrderElementsOf(expected.values());
                expected.forEach((key, queue) ->
                        assertThat(table.find(CompactUid.of(key))).isSameAs(queue));
            }
        }
        ObjectQueue unknown = queue(uid(501, atRandom));
        table.remove(unknown);
        assertThat(table.all()).hasSize(expected.size());
    }
}
