package dev.kopf4j.benchmarks.memory;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.api.ApiRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The administrator of a dev cluster in this process, without sockets. */
public record LocalClient(DevCluster cluster) {
    /** Creates an object in this collection. */
    public void create(String path, String body) {
        send("POST", path, "application/json", body);
    }

    /** Changes an object by a merge patch. */
    public void patch(String path, String body) {
        send("PATCH", path, "application/merge-patch+json", body);
    }

    /** Deletes an object. */
    public void delete(String path) {
        send("DELETE", path, "application/json", "");
    }

    /** Sends a request; an answer that is not a success is an error. */
    public void send(String method, String path, String type, String body) {
        var response = cluster.handle(ApiRequest.of(
                method,
                path,
                Map.of("Authorization", "Bearer " + cluster.token(), "Content-Type", type),
                body.getBytes(StandardCharsets.UTF_8)));
        if (response.status() >= 300) {
            throw new IllegalStateException(method + " " + path + ": " + response.status());
        }
    }
}
