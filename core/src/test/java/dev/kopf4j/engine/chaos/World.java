package dev.kopf4j.engine.chaos;

import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.ClusterAccess;
import dev.kopf4j.engine.FakeAccess;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One simulated world of a seed: a server, people who change objects, an operator that is killed and started again. */
final class World {
    private static final Duration CALM = Duration.ofMinutes(30);
    private static final Duration IDLE = Duration.ofMinutes(10);

    private final Plan plan;
    private final SimulatedPlatform platform;
    private final Chronicle chronicle;
    private final Faults faults;
    private final Watches watches;
    private final ObjectStore store;
    private final ChaosServer server;
    private final Journal journal;
    private final Set<String> everMatched = new HashSet<>();
    private SimulatedPlatform machine;
    private OperatorHandle operator;
    private boolean ended;
    private int incarnation;
    private int uids;
    private boolean calm;

    World(long seed) {
        this.plan = Plan.of(seed);
        this.platform = new SimulatedPlatform(seed, Instant.parse("2026-01-01T00:00:00Z"));
        this.chronicle = new Chronicle(platform);
        SimulatedPlatform serverMachine = platform.machine("server");
        this.faults = new Faults(serverMachine, chronicle, plan.faultPercent(), plan.latencyMillisMax());
        this.watches = new Watches(serverMachine, chronicle, faults, plan.replaying());
        this.store = new ObjectStore(plan.statusSubresource(), this::changed);
        this.watches.of(store);
        this.server = new ChaosServer(store, chronicle, faults, watches);
        this.journal = new Journal(store, chronicle, plan.tampering());
        chronicle.note(plan.toString());
        this.machine = platform.machine("none");
        this.operator = start();
    }

    Chronicle chronicle() {
        return chronicle;
    }

    /** Lives through it all. */
    void live() {
        for (int step = 0; step < plan.steps() && chronicle.violations().isEmpty(); step++) {
            platform.runFor(pause());
            restartIfEnded();
            act();
        }
        if (chronicle.violations().isEmpty()) {
            calmDown();
        }
    }

    private Duration pause() {
        int longest = List.of(1, 100, 1000, 10_000, 60_000).get(random().nextInt(5));
        return Duration.ofMillis(random().nextInt(longest));
    }

    private RandomGenerator random() {
        return platform.random();
    }

    private void act() {
        String name = "object-" + random().nextInt(plan.objects());
        switch (random().nextInt(20)) {
            case 0 -> labelled(name, random().nextBoolean() ? "web" : "none");
            case 1 -> changed(name, "status", "ext", random().nextInt(5));
            case 2 -> finalizer(name);
            case 3 -> annotated(name);
            case 4 -> deleted(name);
            case 5 -> tampered(name);
            case 6 -> faults.outage(!faults.isOutage());
            case 7 -> disturbed();
            case 8 -> operatorEnds();
            case 9, 10 -> changed(name, "spec", "other", random().nextInt(3));
            default -> changed(name, "spec", "field", random().nextInt(3));
        }
    }

    private void disturbed() {
        int kind = random().nextInt(5);
        chronicle.note("streams: "
                + List.of("end", "break", "fall silent", "expire", "compacted").get(kind));
        switch (kind) {
            case 0 -> watches.end();
            case 1 -> watches.breakAll();
            case 2 -> watches.silence();
            case 3 -> watches.expire();
            default -> {
                watches.compact();
                watches.breakAll();
            }
        }
    }

    private void createIfAbsent(String name) {
        if (store.find(name) != null) {
            return;
        }
        ObjectNode object = Json.object().put("apiVersion", "kopf.dev/v1").put("kind", "KopfExample");
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("name", name).put("namespace", "ns").put("uid", "uid-" + uids++);
        int kind = random().nextInt(5);
        metadata.putObject("labels").put("app", kind == 0 ? "none" : "web");
        object.putObject("spec").put("field", random().nextInt(3));
        noteMatching(object);
        chronicle.note("person: creates " + object);
        store.create(object);
    }

    private void noteMatching(ObjectNode object) {
        if (Objects.label(object, "app").equals("web")) {
            everMatched.add(Objects.uid(object));
        }
    }

    private void changed(String name, String stanza, String field, int value) {
        createIfAbsent(name);
        chronicle.note("person: sets " + stanza + "." + field + " of " + name + " to " + value);
        store.change(name, object -> {
            ObjectNode part = object.get(stanza) instanceof ObjectNode there ? there : object.putObject(stanza);
            part.put(field, value);
        });
    }

    private void labelled(String name, String app) {
        createIfAbsent(name);
        chronicle.note("person: labels " + name + " app=" + app);
        store.change(name, object -> {
            ((ObjectNode) Objects.metadata(object).get("labels")).put("app", app);
            noteMatching(object);
        });
    }

    private void annotated(String name) {
        chronicle.note("person: annotates " + name);
        store.change(
                name,
                object -> Objects.metadata(object).withObject("/annotations").put("note", random().nextInt(3)));
    }

    private void finalizer(String name) {
        chronicle.note("person: adds or removes a finalizer of " + name);
        store.change(name, object -> {
            ArrayNode finalizers = Objects.finalizers(object).deepCopy();
            int at = finalizers
                    .valueStream()
                    .map(each -> each.asString(""))
                    .toList()
                    .indexOf("example.com/other");
            if (at >= 0) {
                finalizers.remove(at);
            } else if (!Objects.isDeleting(object)) {
                finalizers.add("example.com/other");
            }
            Objects.metadata(object).set("finalizers", finalizers);
        });
    }

    private void deleted(String name) {
        chronicle.note("person: deletes " + name);
        store.delete(name, platform.now().toString());
    }

    private void tampered(String name) {
        if (!plan.tampering()) {
            return;
        }
        chronicle.note("person: removes an operator's annotation of " + name);
        store.change(name, object -> {
            ObjectNode annotations = Objects.metadata(object).withObject("/annotations");
            annotations
                    .propertyStream()
                    .map(java.util.Map.Entry::getKey)
                    .filter(key -> key.startsWith(Objects.OWN_PREFIX))
                    .findFirst()
                    .ifPresent(annotations::remove);
        });
    }

    /** Sees what is really changed on the server. */
    private void changed(boolean byOperator, ObjectNode before, @Nullable ObjectNode after) {
        if (after != null) {
            journal.noteStored(after);
        }
        boolean released = Objects.FINALIZER.isOn(before) && (after == null || !Objects.FINALIZER.isOn(after));
        boolean matches = Objects.label(before, "app").equals("web");
        if (byOperator && released && Objects.isDeleting(before) && matches) {
            for (Plan.Kind kind : plan.handlers()) {
                if (mustHear(kind, Objects.uid(before))
                        && !journal.hasFinishedDeletion(kind.id(), Objects.uid(before))) {
                    chronicle.violated("no finalizer is removed before the deletion handlers", kind + " of " + before);
                }
            }
        }
        if (byOperator && released && journal.companions().runBeside(incarnation, Objects.uid(before))) {
            chronicle.violated("no finalizer is removed while daemons or timers run", before + " to " + after);
        }
        if (byOperator && !everMatched.contains(Objects.uid(before))) {
            chronicle.violated("no PATCH of objects that match no handler", before + " to " + after);
        }
    }

    /** Optional deletion handlers are called for what others hold. */
    private boolean mustHear(Plan.Kind kind, String uid) {
        return kind.isMandatoryDeletion()
                || (kind == Plan.Kind.DELETE_OPTIONAL
                        && (plan.handlers().stream().anyMatch(Plan.Kind::isMandatoryDeletion)
                                || journal.companions().belongTo(incarnation, uid, plan)));
    }

    private void operatorEnds() {
        if (!plan.kills()) {
            return;
        }
        if (random().nextBoolean()) {
            chronicle.note("process " + incarnation + " is killed");
            machine.kill();
        } else {
            chronicle.note("process " + incarnation + " is asked to stop");
            stopGracefully();
        }
        platform.runFor(pause());
        operator = start();
    }

    private void stopGracefully() {
        operator.stop();
        platform.runUntil(() -> ended, Duration.ofSeconds(90));
        platform.runFor(Duration.ofMillis(1));
        if (!ended) {
            chronicle.violated("a stop comes to its end", platform.describeTasks());
        } else if (platform.describeTasks().contains("process-" + incarnation + "/")) {
            chronicle.violated("no task is left after a stop", platform.describeTasks());
        }
        machine.kill();
    }

    /** As a cluster does with containers. */
    private void restartIfEnded() {
        if (ended) {
            operator = start();
        }
    }

    private OperatorHandle start() {
        journal.seen().processEnds(store);
        incarnation++;
        chronicle.note("process " + incarnation + " starts");
        SimulatedPlatform own = platform.machine("process-" + incarnation);
        machine = own;
        ended = false;
        int number = incarnation;
        ChaosHandlers handlers = new ChaosHandlers(plan, journal, own, number, () -> calm);
        OperatorHandle handle = OperatorAssembly.assemble(
                        handlers.builder().plan(), new OperatorEnvironment(own, access(own)))
                .start();
        platform.machine("supervisor").spawn("of " + number, () -> supervise(handle, number));
        return handle;
    }

    private void supervise(OperatorHandle handle, int number) {
        try {
            handle.join();
            chronicle.note("process " + number + " ends");
        } catch (OperatorException e) {
            chronicle.note("process " + number + " fails: " + e.getMessage());
            if (!faults.isOutage() && plan.faultPercent() == 0) {
                chronicle.violated("no process fails without a reason", e.toString());
            }
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts the supervisor", e);
        }
        if (number == incarnation) {
            ended = true;
        }
    }

    private ClusterAccess access(SimulatedPlatform client) {
        return new FakeAccess(server.transport(client));
    }

    private void calmDown() {
        chronicle.note("all is calm");
        calm = true;
        faults.end();
        platform.runFor(Duration.ofMinutes(2));
        restartIfEnded();
        platform.runFor(CALM);
        int before = server.requests().total();
        int opened = server.requests().watches;
        platform.runFor(IDLE);
        int streams = server.requests().watches - opened;
        if (server.requests().total() - before - streams > 0 || streams > 8) {
            chronicle.violated("idle means idle", server.requests() + ", of them " + streams + " watches when idle");
        }
        new FinalState(plan, store, journal, chronicle, everMatched).check();
        journal.companions().check(incarnation, plan, store);
        stopGracefully();
    }
}
