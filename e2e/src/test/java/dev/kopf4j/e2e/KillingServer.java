package dev.kopf4j.e2e;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.http.HttpFrontend;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Stands before a cluster, counts requests, and kills who sends them before or after one of them is done. Thread-safe.
 */
final class KillingServer implements AutoCloseable {
    /**
     * When to kill.
     *
     * @param request at the how-manieth request, from 1
     * @param done whether what it asks for is done first; its answer is not sent in any case
     */
    record Point(int request, boolean done) {
        static final Point NEVER = new Point(Integer.MAX_VALUE, true);

        /** All points within so many requests. */
        static List<Point> within(int requests) {
            List<Point> points = new ArrayList<>();
            for (int request = 1; request <= requests; request++) {
                points.add(new Point(request, false));
                points.add(new Point(request, true));
            }
            return points;
        }

        @Override
        public String toString() {
            return (done ? "after" : "before") + " request " + request;
        }
    }

    private final HttpFrontend frontend =
            HttpFrontend.bind(InetAddress.getLoopbackAddress(), 0, Optional.empty(), line -> {});
    private final Function<ApiRequest, ApiResponse> cluster;
    private final Consumer<ApiRequest> onDone;
    private Point point = Point.NEVER;
    private Runnable kill = () -> {};
    private int requests;

    /**
     * A server before this cluster.
     *
     * @param onDone gets each request that is done, before its answer is sent
     */
    KillingServer(Function<ApiRequest, ApiResponse> cluster, Consumer<ApiRequest> onDone) {
        this.cluster = cluster;
        this.onDone = onDone;
        frontend.start(this::answer);
    }

    String url() {
        return "http://127.0.0.1:" + frontend.port();
    }

    /** Counts anew from now on, and kills in that way at that point. */
    synchronized void arm(Point when, Runnable how) {
        requests = 0;
        point = when;
        kill = how;
    }

    /** How many requests have come. */
    synchronized int requests() {
        return requests;
    }

    private ApiResponse answer(ApiRequest request) {
        Optional<Point> hit = count();
        if (hit.isPresent() && !hit.get().done()) {
            return killed();
        }
        ApiResponse response = cluster.apply(request);
        onDone.accept(request);
        return hit.isPresent() ? killed() : response;
    }

    private synchronized Optional<Point> count() {
        requests++;
        return Optional.of(point).filter(each -> each.request() == requests);
    }

    private ApiResponse killed() {
        how().run();
        return new ApiResponse(500, "text/plain", List.of(), new ApiResponse.Broken());
    }

    private synchronized Runnable how() {
        return kill;
    }

    @Override
    public void close() {
        frontend.close();
    }
}
