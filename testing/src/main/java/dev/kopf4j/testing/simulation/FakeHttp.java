package dev.kopf4j.testing.simulation;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A system outside of the cluster that is reached as by HTTP, for handlers under test: its calls take simulated time,
 * and in simulations they fail, their answers get lost, and the operator is killed between a call and its record
 * ({@link FaultKind#SERVICE}). What the system does is a function; {@link FakeService} can be behind it. Give handlers
 * an interface of their own that this implements in tests, and an HTTP client in production. Thread-safe.
 *
 * <pre>{@code
 * FakeHttp http = new FakeHttp(request -> {
 *     service.ensure(request.path());
 *     return FakeHttp.Answer.of(201, "{}");
 * });
 * }</pre>
 */
public final class FakeHttp {
    private static final ScopedValue<Network> NETWORK = ScopedValue.newInstance();
    private static final Duration LATENCY = Duration.ofMillis(200);

    private final Service service;
    private final Duration latency;
    private final List<Request> carriedOut;

    /** A system whose calls take up to 200 ms of simulated time. */
    public FakeHttp(Service service) {
        this(service, LATENCY, new ArrayList<>());
    }

    private FakeHttp(Service service, Duration latency, List<Request> carriedOut) {
        this.service = service;
        this.latency = latency;
        this.carriedOut = carriedOut;
    }

    /** The same system, whose calls take up to this much simulated time. */
    public FakeHttp latency(Duration most) {
        return new FakeHttp(service, most, carriedOut);
    }

    /** What the system does when a request has reached it. Called by one thread at a time. */
    @FunctionalInterface
    public interface Service {
        /** The answer. */
        Answer answer(Request request);
    }

    /**
     * A request. Immutable.
     *
     * @param method such as {@code PUT}
     * @param path with its query
     * @param body the text; empty for none
     */
    public record Request(String method, String path, String body) {}

    /**
     * An answer. Immutable.
     *
     * @param status the HTTP status
     * @param body the text; empty for none
     */
    public record Answer(int status, String body) {
        /** An answer with a text. */
        public static Answer of(int status, String body) {
            return new Answer(status, body);
        }
    }

    /** How a call gets to the system, in the world of the task that makes it. */
    interface Network {
        /** Waits for half of a call's time. */
        void travel(Duration latency) throws InterruptedException;

        /** The fault of this call, if one was laid for it. */
        Optional<Fault> draw(Request request);

        /** Ends the machine that makes the call. */
        void kill() throws InterruptedException;

        /** A service has done something. */
        void carriedOut();
    }

    /** What may happen to a call. */
    enum Fault {
        REFUSED("503 at call of a service"),
        ANSWER_LOST("answer of a service lost at call"),
        KILL_AFTER("kill after call of a service");

        private final String words;

        Fault(String words) {
            this.words = words;
        }

        static List<Fault> of(Collection<FaultKind> kinds) {
            return kinds.contains(FaultKind.SERVICE) ? Arrays.asList(values()) : List.of();
        }

        String words() {
            return words;
        }
    }

    /** Calls of these tasks go over that network. */
    static void within(Network network, Runnable body) {
        ScopedValue.where(NETWORK, network).run(body);
    }

    /** Tells the network of the running task, if there is any, that a service has done something. */
    static void tellCarriedOut() {
        if (NETWORK.isBound()) {
            NETWORK.get().carriedOut();
        }
    }

    /**
     * Makes a call. Outside of a simulation it takes no time, and does not fail.
     *
     * @throws IOException if the connection breaks: whether the call was carried out is not known
     * @throws InterruptedException if the handler is interrupted meanwhile
     */
    public Answer send(String method, String path, String body) throws IOException, InterruptedException {
        Request request = new Request(method, path, body);
        if (!NETWORK.isBound()) {
            return carriedOut(request);
        }
        Network network = NETWORK.get();
        network.travel(latency.dividedBy(2));
        Optional<Fault> fault = network.draw(request);
        if (fault.equals(Optional.of(Fault.REFUSED))) {
            return new Answer(503, "a fault of the simulation");
        }
        Answer answer = carriedOut(request);
        network.carriedOut();
        if (fault.equals(Optional.of(Fault.KILL_AFTER))) {
            network.kill();
        }
        if (fault.equals(Optional.of(Fault.ANSWER_LOST))) {
            throw new IOException("connection reset");
        }
        network.travel(latency.dividedBy(2));
        return answer;
    }

    /** Those of another latency share the service and the requests, and so the lock. */
    private Answer carriedOut(Request request) {
        synchronized (carriedOut) {
            carriedOut.add(request);
            return service.answer(request);
        }
    }

    /** The requests that have reached the system so far, in their order. */
    public List<Request> requests() {
        synchronized (carriedOut) {
            return List.copyOf(carriedOut);
        }
    }
}
