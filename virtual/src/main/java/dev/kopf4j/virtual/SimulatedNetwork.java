package dev.kopf4j.virtual;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;

/** How requests get from a simulated machine to the server. Confined to the simulation. */
@FunctionalInterface
public interface SimulatedNetwork {
    /**
     * Carries a request to the server, and its response back; waits as long as that takes.
     *
     * @param client the machine of the client; it may be killed meanwhile
     * @throws IOException if the connection breaks
     * @throws InterruptedException if the task is interrupted
     */
    ApiResponse exchange(SimulatedPlatform client, ApiRequest request) throws IOException, InterruptedException;
}
