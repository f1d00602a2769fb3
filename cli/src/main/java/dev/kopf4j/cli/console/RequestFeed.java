package dev.kopf4j.cli.console;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.KubernetesTimestamps;
import dev.kopf4j.text.TextShortener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The newest requests to an embedded cluster, without their bodies, credentials and queries; and how many there were.
 * Thread-safe.
 */
public final class RequestFeed implements BiConsumer<ApiRequest, ApiResponse> {
    private static final int KEPT = 300;
    private static final int SECONDS = 150;
    private static final int AGENT_MAX = 60;

    private final Platform platform;

    // Guarded by this.
    private final Deque<Heard> newest = new ArrayDeque<>();
    private final Map<String, Long> totals = new TreeMap<>();
    private final long[] counts = new long[SECONDS];
    private final long[] refused = new long[SECONDS];
    private long second;
    private long number;

    /** No requests. */
    public RequestFeed(Platform platform) {
        this.platform = platform;
        this.second = now();
    }

    /** A request that was answered. */
    private record Heard(long number, String at, String verb, String path, int status, String agent) {}

    @Override
    public void accept(ApiRequest request, ApiResponse response) {
        String agent = request.headers().getOrDefault("user-agent", "");
        String verb = response.body() instanceof ApiResponse.Events ? "WATCH" : request.method();
        int status = response.body() instanceof ApiResponse.Broken ? 0 : response.status();
        add(verb, request.path(), status, TextShortener.middle(agent, AGENT_MAX));
    }

    private synchronized void add(String verb, String path, int status, String agent) {
        newest.addLast(new Heard(++number, KubernetesTimestamps.format(platform.now()), verb, path, status, agent));
        if (newest.size() > KEPT) {
            newest.removeFirst();
        }
        totals.merge(verb + " " + status, 1L, Long::sum);
        moveOn();
        int at = Math.floorMod(second, SECONDS);
        counts[at]++;
        if (status == 0 || status >= 400) {
            refused[at]++;
        }
    }

    private long now() {
        return platform.nanos() / 1_000_000_000;
    }

    private void moveOn() {
        long now = now();
        for (long next = Math.max(second + 1, now - SECONDS + 1); next <= now; next++) {
            counts[Math.floorMod(next, SECONDS)] = 0;
            refused[Math.floorMod(next, SECONDS)] = 0;
        }
        second = now;
    }

    /** Tells of the newest requests, the newest first, and of the counts of the last seconds. */
    synchronized void tell(int most, ObjectNode into) {
        moveOn();
        ArrayNode told = into.putArray("requests");
        Iterator<Heard> latest = newest.descendingIterator();
        while (latest.hasNext() && told.size() < most) {
            Heard each = latest.next();
            told.addObject()
                    .put("n", each.number())
                    .put("at", each.at())
                    .put("verb", each.verb())
                    .put("path", each.path())
                    .put("status", each.status())
                    .put("agent", each.agent());
        }
        ObjectNode all = into.putObject("totals");
        totals.forEach(all::put);
        ArrayNode perSecond = into.putArray("perSecond");
        ArrayNode refusedPerSecond = into.putArray("refusedPerSecond");
        for (long each = second - SECONDS + 1; each < second; each++) {
            perSecond.add(counts[Math.floorMod(each, SECONDS)]);
            refusedPerSecond.add(refused[Math.floorMod(each, SECONDS)]);
        }
    }
}
