package dev.kopf4j.virtual;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.spi.RequestChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The way of other libraries' clients through a simulated network. Requests are sent again as fabric8's client does by
 * default: ten times after 429, 5xx and broken connections, after 100 ms and then twice as long each time. Its own way
 * to do so needs another thread. Confined to the simulation.
 *
 * @param machine the machine of the client
 * @param network the way to the server
 * @param keepsTurn whether answers that take no time are given at once, so that nothing else happens meanwhile
 */
record SimulatedChannel(SimulatedPlatform machine, SimulatedNetwork network, BooleanSupplier keepsTurn)
        implements RequestChannel {
    private static final int RETRIES = 10;
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final int DOUBLINGS = 5;

    @Override
    public Answer exchange(Request request) throws IOException, InterruptedException {
        if (!machine.isOwnThread()) {
            String words = "the client was used in the thread '"
                    + Thread.currentThread().getName() + "', which is not part of the simulation: "
                    + request.method() + " " + request.target().split("\\?", 2)[0]
                    + ". Use it in the handler's own thread, or test this in real time";
            machine.refused(words);
            throw new IllegalStateException(words);
        }
        ApiResponse response =
                answered(ApiRequest.of(request.method(), request.target(), request.headers(), request.body()));
        return new Answer(response.status(), ResponseBytes.headers(response), ResponseBytes.body(response));
    }

    private ApiResponse answered(ApiRequest request) throws IOException, InterruptedException {
        for (int retry = 0; ; retry++) {
            try {
                ApiResponse response = network.exchange(machine, request);
                if (response.delay().isPositive() || !keepsTurn.getAsBoolean()) {
                    machine.sleep(response.delay());
                }
                if (response.body() instanceof ApiResponse.Broken) {
                    throw new IOException("connection reset");
                }
                if (retry == RETRIES || !mayPass(response.status())) {
                    return response;
                }
            } catch (IOException e) {
                if (retry == RETRIES) {
                    throw e;
                }
            }
            machine.sleep(FIRST.multipliedBy(1L << Math.min(retry, DOUBLINGS)));
        }
    }

    private static boolean mayPass(int status) {
        return status == 429 || status >= 500;
    }
}
