package dev.kopf4j.engine.chaos;

import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.ClusterAccess;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.simulation.FakeClusterAccess;
import dev.kopf4j.engine.simulation.RenewedCredentials;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The world of one seed: a server, people who change objects, and an operator that is killed and started again. */
final class SimulatedWorld {
    private static final Duration CALM = Duration.ofMinutes(30);
    private static final Duration IDLE = Duration.ofMinutes(10);

    private final WorldPlan worldPlan;
    private final SimulatedPlatform platform;
    private final WorldHistory worldHistory;
    private final RequestFaults requestFaults;
    private final HostileObjects hostileObjects;
    private final WatchConnections watchConnections;
    private final ObjectStore store;
    private final ChaosServer server;
    private final HandlerCallJournal handlerCallJournal;
    private final Set<String> everMatched = new HashSet<>();
    private final RenewedCredentials credentials = new RenewedCredentials();
    private final Random credentialsRandom;
    private final Random replacementRandom;
    private SimulatedPlatform machine;
    private OperatorHandle operator;
    private boolean ended;
    private int incarnation;
    private int uids;
    private int replacedDuringCalls;
    private int replacedBeforePatches;
    private int handledAfterRefusal;
    private boolean calm;

    SimulatedWorld(long seed) {
        this.worldPlan = WorldPlan.of(seed);
        this.credentialsRandom = new Random(seed);
        this.replacementRandom = new Random(seed * 0x9E3779B97F4A7C15L);
        this.platform = new SimulatedPlatform(seed, Instant.parse("2026-01-01T00:00:00Z"));
        this.worldHistory = new WorldHistory(platform);
        SimulatedPlatform serverMachine = platform.machine("server");
        this.requestFaults =
                new RequestFaults(serverMachine, worldHistory, worldPlan.faultPercent(), worldPlan.latencyMillisMax());
        this.hostileObjects = new HostileObjects(worldPlan.hostile());
        this.watchConnections =
                new WatchConnections(serverMachine, worldHistory, requestFaults, worldPlan.replaying(), hostileObjects);
        this.store = new ObjectStore(worldPlan.statusSubresource(), this::changed);
        this.watchConnections.of(store);
        this.server = new ChaosServer(
                store, worldHistory, requestFaults, watchConnections, hostileObjects, this::beforePatch);
        this.handlerCallJournal = new HandlerCallJournal(store, worldHistory, worldPlan.tampering());
        worldHistory.note(worldPlan.toString());
        this.machine = platform.machine("none");
        this.operator = start();
    }

    WorldHistory worldHistory() {
        return worldHistory;
    }

    /** Lives through it all. */
    void live() {
        for (int step = 0; step < worldPlan.steps() && worldHistory.violations().isEmpty(); step++) {
            platform.runFor(pause());
            restartIfEnded();
            if (worldPlan.refusing() && credentialsRandom.nextInt(10) == 0) {
                expireOrRenew();
            }
            act();
        }
        if (worldHistory.violations().isEmpty()) {
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
        String name = "object-" + random().nextInt(worldPlan.objects());
        switch (random().nextInt(20)) {
            case 0 -> labelled(name, random().nextBoolean() ? "web" : "none");
            case 1 -> changed(name, "status", "ext", random().nextInt(5));
            case 2 -> finalizer(name);
            case 3 -> annotated(name);
            case 4 -> {
                if (worldPlan.replacing()) {
                    replaced(name);
                } else {
                    deleted(name);
                }
            }
            case 5 -> tampered(name);
            case 6 -> requestFaults.outage(!requestFaults.isOutage());
            case 7 -> disturbed();
            case 8 -> operatorEnds();
            case 9, 10 -> changed(name, "spec", "other", random().nextInt(3));
            default -> changed(name, "spec", "field", random().nextInt(3));
        }
    }

    private void expireOrRenew() {
        if (credentials.areExpired()) {
            worldHistory.note("person: renews the credentials");
            credentials.renew();
        } else {
            worldHistory.note("server: refuses the credentials");
            credentials.expire();
        }
    }

    /** How many requests were refused with their credentials. */
    int refusedCredentials() {
        return credentials.refusals();
    }

    private void disturbed() {
        int kind = random().nextInt(5);
        worldHistory.note("streams: "
                + List.of("end", "break", "fall silent", "expire", "compacted").get(kind));
        switch (kind) {
            case 0 -> watchConnections.end();
            case 1 -> watchConnections.breakAll();
            case 2 -> watchConnections.silence();
            case 3 -> watchConnections.expire();
            default -> {
                watchConnections.compact();
                watchConnections.breakAll();
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
        worldHistory.note("person: creates " + object);
        hostileObjects.enlarge(object, random());
        store.create(object);
    }

    private void noteMatching(ObjectNode object) {
        if (StoredState.label(object, "app").equals("web")) {
            everMatched.add(StoredState.uid(object));
        }
    }

    private void changed(String name, String stanza, String field, int value) {
        createIfAbsent(name);
        worldHistory.note("person: sets " + stanza + "." + field + " of " + name + " to " + value);
        store.change(name, object -> {
            ObjectNode part = object.get(stanza) instanceof ObjectNode there ? there : object.putObject(stanza);
            part.put(field, value);
        });
    }

    private void labelled(String name, String app) {
        createIfAbsent(name);
        worldHistory.note("person: labels " + name + " app=" + app);
        store.change(name, object -> {
            ((ObjectNode) StoredState.metadata(object).get("labels")).put("app", app);
            noteMatching(object);
        });
    }

    private void annotated(String name) {
        worldHistory.note("person: annotates " + name);
        store.change(
                name,
                object ->
                        StoredState.metadata(object).withObject("/annotations").put("note", random().nextInt(3)));
    }

    private void finalizer(String name) {
        worldHistory.note("person: adds or removes a finalizer of " + name);
        store.change(name, object -> {
            ArrayNode finalizers = StoredState.finalizers(object).deepCopy();
            int at = finalizers
                    .valueStream()
                    .map(each -> each.asString(""))
                    .toList()
                    .indexOf("example.com/other");
            if (at >= 0) {
                finalizers.remove(at);
            } else if (!StoredState.isDeleting(object)) {
                finalizers.add("example.com/other");
            }
            StoredState.metadata(object).set("finalizers", finalizers);
        });
    }

    /** As by {@code kubectl replace --force}: another object has the name from one moment to the next. */
    private void replaced(String name) {
        ObjectNode before = store.find(name);
        if (before == null) {
            return;
        }
        worldHistory.note("person: replaces " + name);
        if (handlerCallJournal.isRunning(incarnation, StoredState.uid(before))) {
            replacedDuringCalls++;
        }
        store.vanish(name);
        createIfAbsent(name);
    }

    /** Between what an operator knows and what it writes, somebody was faster. */
    private void beforePatch(String name) {
        if (worldPlan.replacing() && !calm && replacementRandom.nextInt(15) == 0 && store.find(name) != null) {
            replacedBeforePatches++;
            replaced(name);
        }
    }

    /** How many objects were replaced by others of their name while a handler was called for them. */
    int replacedDuringCalls() {
        return replacedDuringCalls;
    }

    /** How many objects were replaced by others of their name just before a PATCH. */
    int replacedBeforePatches() {
        return replacedBeforePatches;
    }

    /** How many objects were handled at once after their operator's credentials had been refused for half an hour. */
    int handledAfterRefusal() {
        return handledAfterRefusal;
    }

    /** How often a write of handlers was compared with the object that it is on. */
    int comparedWrites() {
        return handlerCallJournal.named();
    }

    private void deleted(String name) {
        worldHistory.note("person: deletes " + name);
        store.delete(name, platform.now().toString());
    }

    private void tampered(String name) {
        if (!worldPlan.tampering()) {
            return;
        }
        worldHistory.note("person: removes an operator's annotation of " + name);
        store.change(name, object -> {
            ObjectNode annotations = StoredState.metadata(object).withObject("/annotations");
            annotations
                    .propertyStream()
                    .map(java.util.Map.Entry::getKey)
                    .filter(key -> key.startsWith(StoredState.OWN_PREFIX))
                    .findFirst()
                    .ifPresent(annotations::remove);
        });
    }

    /** Sees what is really changed on the server. */
    private void changed(boolean byOperator, ObjectNode before, @Nullable ObjectNode after) {
        if (after != null) {
            handlerCallJournal.noteStored(after);
            handlerCallJournal.checkOwner(after);
        }
        boolean released = StoredState.FINALIZER.isOn(before) && (after == null || !StoredState.FINALIZER.isOn(after));
        boolean matches = StoredState.label(before, "app").equals("web");
        if (byOperator && released && StoredState.isDeleting(before) && matches) {
            for (WorldPlan.Kind kind : worldPlan.handlers()) {
                if (mustHear(kind, StoredState.uid(before))
                        && !handlerCallJournal.hasFinishedDeletion(kind.id(), StoredState.uid(before))) {
                    worldHistory.violated(
                            "no finalizer is removed before the deletion handlers", kind + " of " + before);
                }
            }
        }
        if (byOperator
                && released
                && handlerCallJournal.daemonTracker().runBeside(incarnation, StoredState.uid(before))) {
            worldHistory.violated("no finalizer is removed while daemons or timers run", before + " to " + after);
        }
        if (byOperator && !everMatched.contains(StoredState.uid(before))) {
            worldHistory.violated("no PATCH of objects that match no handler", before + " to " + after);
        }
    }

    /** Optional deletion handlers are called for what others hold. */
    private boolean mustHear(WorldPlan.Kind kind, String uid) {
        return kind.isMandatoryDeletion()
                || (kind == WorldPlan.Kind.DELETE_OPTIONAL
                        && (worldPlan.handlers().stream().anyMatch(WorldPlan.Kind::isMandatoryDeletion)
                                || handlerCallJournal.daemonTracker().belongTo(incarnation, uid, worldPlan)));
    }

    private void operatorEnds() {
        if (!worldPlan.kills()) {
            return;
        }
        if (random().nextBoolean()) {
            worldHistory.note("process " + incarnation + " is killed");
            machine.kill();
        } else {
            worldHistory.note("process " + incarnation + " is asked to stop");
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
            worldHistory.violated("a stop comes to its end", platform.describeTasks());
        } else if (platform.describeTasks().contains("process-" + incarnation + "/")) {
            worldHistory.violated("no task is left after a stop", platform.describeTasks());
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
        handlerCallJournal.seen().processEnds(store);
        incarnation++;
        worldHistory.note("process " + incarnation + " starts");
        SimulatedPlatform own = platform.machine("process-" + incarnation);
        machine = own;
        ended = false;
        int number = incarnation;
        ChaosHandlers handlers = new ChaosHandlers(worldPlan, handlerCallJournal, own, number, () -> calm);
        OperatorHandle handle = OperatorAssembly.assemble(
                        OperatorPlan.of(handlers.builder()), new OperatorEnvironment(own, access(own)))
                .start();
        platform.machine("supervisor").spawn("of " + number, () -> supervise(handle, number));
        return handle;
    }

    private void supervise(OperatorHandle handle, int number) {
        try {
            handle.join();
            worldHistory.note("process " + number + " ends");
        } catch (OperatorException e) {
            worldHistory.note("process " + number + " fails: " + e.getMessage());
            if (!requestFaults.isOutage() && !credentials.areExpired() && worldPlan.faultPercent() == 0) {
                worldHistory.violated("no process fails without a reason", e.toString());
            }
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts the supervisor", e);
        }
        if (number == incarnation) {
            ended = true;
        }
    }

    private ClusterAccess access(SimulatedPlatform client) {
        return worldPlan.refusing()
                ? credentials.access(client, server.transport(client))
                : new FakeClusterAccess(server.transport(client));
    }

    /** That is no object's fault: none waits for the errors of the time before. */
    private void refuseForLong() {
        credentials.renew();
        platform.runFor(Duration.ofMinutes(2));
        restartIfEnded();
        platform.runFor(CALM);
        int process = incarnation;
        credentials.expire();
        worldHistory.note("server: refuses the credentials for long");
        for (ObjectNode object : store.all()) {
            changed(StoredState.name(object), "spec", "field", 3 + random().nextInt(3));
        }
        platform.runFor(CALM);
        credentials.renew();
        worldHistory.note("person: renews the credentials");
        platform.runFor(Duration.ofSeconds(40));
        if (!ended && process == incarnation) {
            handledAfterRefusal += store.all().size();
            new FinalState(worldPlan, store, handlerCallJournal, worldHistory, everMatched).check();
        }
    }

    private void calmDown() {
        worldHistory.note("all is calm");
        calm = true;
        requestFaults.end();
        if (worldPlan.refusing()) {
            refuseForLong();
        }
        credentials.renew();
        platform.runFor(Duration.ofMinutes(2));
        restartIfEnded();
        platform.runFor(CALM);
        int before = server.requests().total();
        int opened = server.requests().watches;
        platform.runFor(IDLE);
        int streams = server.requests().watches - opened;
        if (server.requests().total() - before - streams > 0 || streams > 8) {
            worldHistory.violated("idle means idle", server.requests() + ", of them " + streams + " watches when idle");
        }
        new FinalState(worldPlan, store, handlerCallJournal, worldHistory, everMatched).check();
        handlerCallJournal.daemonTracker().check(incarnation, worldPlan, store);
        stopGracefully();
    }
}
