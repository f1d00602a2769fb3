package dev.kopf4j.testing.virtual;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.time.Duration;

/**
 * Sends requests again as fabric8's client does by default: ten times after 429, 5xx and broken connections, after 100
 * ms and then twice as long each time. Its own way to do so needs another thread. Confined to the simulation.
 */
final class ClientRetries {
    private static final int RETRIES = 10;
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final int DOUBLINGS = 5;

    private final Platform platform;

    ClientRetries(Platform platform) {
        this.platform = platform;
    }

    /** One attempt. */
    interface Attempt {
        ApiResponse make() throws IOException, InterruptedException;
    }

    /** Makes attempts until one gives an answer that stands. */
    ApiResponse exchange(Attempt attempt) throws IOException, InterruptedException {
        for (int retry = 0; ; retry++) {
            try {
                ApiResponse response = attempt.make();
                platform.sleep(response.delay());
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
            platform.sleep(FIRST.multipliedBy(1L << Math.min(retry, DOUBLINGS)));
        }
    }

    private static boolean mayPass(int status) {
        return status == 429 || status >= 500;
    }
}
