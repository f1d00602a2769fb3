package dev.kopf4j.cli.plan;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.devcluster.ApiServer;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.SimulatedPlatform.StuckException;
import dev.kopf4j.text.DurationText;
import dev.kopf4j.types.CustomResourceDefinitions;
import dev.kopf4j.virtual.ResponseBytes;
import dev.kopf4j.virtual.SimulatedCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lets a version of an operator run with a copy of a cluster, in virtual time, until it is at rest. Its handlers are
 * called, or those alone that say which children there ought to be; what they do to the cluster, they do to the copy.
 * Confined to a thread.
 */
final class Trial {
    private static final long SEED = 1;
    private static final Duration STEP = Duration.ofSeconds(1);
    /** For timers and daemons, which go on for ever. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

    private final Version version;
    private final SimulatedPlatform world;
    private final SimulatedPlatform machine;
    private final SimulatedCluster cluster;
    private final boolean ofChildren;
    private final RestWatch rest = new RestWatch();
    private final WrittenObjects written;
    private final List<String> remarks = new ArrayList<>();
    private final Deadline end;
    private final Duration limit;

    /** For what is tried again at once; what waits for longer has failed. */
    private static final Duration SOON = Duration.ofSeconds(5);

    /**
     * A version that is not started yet.
     *
     * @param limit how long it may take, in virtual time
     */
    Trial(Version version, ClusterCopy copy, Instant start, Duration limit) {
        this(version, copy, start, limit, false);
    }

    /** A version of which those handlers alone are called that say which children there ought to be. */
    static Trial ofChildren(Version version, ClusterCopy copy, Instant start, Duration limit) {
        return new Trial(version, copy, start, limit, true);
    }

    private Trial(Version version, ClusterCopy copy, Instant start, Duration limit, boolean ofChildren) {
        this.version = version;
        this.limit = limit;
        this.ofChildren = ofChildren;
        this.written = ofChildren
                ? WrittenObjects.ofChildren(version.plan().settings().children().fieldManager())
                : new WrittenObjects();
        this.world = new SimulatedPlatform(SEED, start);
        this.machine = world.machine("operator");
        Options options = Options.defaults().requestListener(written::heard);
        this.cluster = ofChildren ? copy.withoutStepsIn(world, options) : copy.in(world, options);
        this.end = world.after(limit);
    }

    /** Applies definitions as an upgrade does; what is refused is among the remarks. */
    void apply(List<Map<String, Object>> definitions) {
        remarks.addAll(applied(cluster, definitions).values());
    }

    /** Applies definitions; returns why some are refused, by their names. */
    static Map<String, String> applied(SimulatedCluster cluster, List<Map<String, Object>> definitions) {
        Map<String, String> refused = new LinkedHashMap<>();
        for (Map<String, Object> each : definitions) {
            ObjectNode definition = ClusterCopy.withoutWebhook((ObjectNode) Json.fromJava(each));
            try {
                cluster.apply(CustomResourceDefinitions.yaml(List.of(Json.toMutableMap(definition))));
            } catch (IllegalArgumentException e) {
                refused.put(definition.path("metadata").path("name").asString(""), String.valueOf(e.getMessage()));
            }
        }
        return refused;
    }

    /**
     * Starts the operator, and waits until it is at rest, and half a minute more.
     *
     * @return how long that took
     * @throws OperatorException if it does not start, or its handlers cannot be called in virtual time
     */
    Duration run() throws InterruptedException {
        long began = world.nanos();
        written.begin();
        try {
            OperatorEnvironment environment = cluster.environment(
                            machine, UnaryOperator.identity(), cluster.network(), cluster.adminToken(), rest)
                    .withoutPeers();
            Operator operator = ofChildren
                    ? OperatorAssembly.assembleForChildren(version.plan(), environment)
                    : OperatorAssembly.assemble(version.plan(), environment);
            OperatorHandle handle = operator.start();
            if (!handle.awaitReady(START_TIMEOUT)) {
                throw new OperatorException(version.name() + " was not ready in the copy of the cluster within "
                        + DurationText.format(START_TIMEOUT) + " of virtual time");
            }
            boolean rests = false;
            while (!rests && !end.hasPassed(world)) {
                long before = rest.changes();
                world.runFor(STEP);
                rests = rest.changes() == before && rest.isAtRest(ofChildren ? world.after(SOON) : end);
            }
            List<String> pauses = handle.state().pauses();
            if (!pauses.isEmpty()) {
                throw new OperatorException(
                        version.name() + " does not act in the copy of the cluster: " + String.join("; ", pauses));
            }
            if (!ofChildren) {
                world.runFor(GRACE);
            }
            if (!rests) {
                List<String> pending = rest.pending();
                remarks.add(version.name() + " was not at rest after " + DurationText.format(limit) + ": "
                        + String.join(", ", pending.subList(0, Math.min(pending.size(), 5)))
                        + (pending.size() > 5 ? ", and " + (pending.size() - 5) + " more" : ""));
            }
            return Duration.ofNanos(world.nanos() - began);
        } catch (StuckException e) {
            throw new OperatorException(version.name() + " cannot be tried in virtual time: " + e.getMessage(), e);
        }
    }

    /** Lets it run on. */
    void runFor(Duration time) {
        if (time.isPositive()) {
            world.runFor(time);
        }
    }

    /** The calls in their order. */
    List<RestWatch.Call> calls() {
        return rest.calls();
    }

    /** Why children are not ready, or were not written, by their kinds and names, by the uid of their parent. */
    Map<String, Map<String, RestWatch.Trouble>> troublesOfChildren() {
        return rest.troublesOfChildren();
    }

    /** The objects that it has written, as they are now; empty ones are gone. */
    Map<Place, Optional<ObjectNode>> written() {
        Map<Place, Optional<ObjectNode>> found = new LinkedHashMap<>();
        written.paths().forEach((place, path) -> found.put(place, get(path)));
        return found;
    }

    private Optional<ObjectNode> get(String path) {
        ApiServer server = cluster.server();
        ApiResponse response = server.handle(
                ApiRequest.of("GET", path, Map.of("Authorization", "Bearer " + cluster.adminToken()), new byte[0]));
        return response.status() == 200
                ? Optional.of(Json.parseObject(ResponseBytes.body(response)))
                : Optional.empty();
    }

    /** What was not as it should be, in words for people. */
    List<String> remarks() {
        return List.copyOf(remarks);
    }

    /** Ends it as SIGKILL does: nobody waits for what it has not done. */
    void end() {
        machine.kill();
        world.runFor(Duration.ofMillis(1));
    }
}
