package dev.kopf4j.e2e.endurance.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Requests to a server that is disturbed: most are sent again until they succeed. Thread-safe. */
final class RepeatedRequests {
    private static final int ATTEMPTS = 300;

    private final ClusterClient client;

    RepeatedRequests(ClusterClient client) {
        this.client = client;
    }

    /** Creates an object; one that is there already is as good. */
    void make(String path, String object) {
        persist("POST", path, object, status -> status < 300 || status == 409);
    }

    void delete(String path) {
        persist("DELETE", path, null, status -> status < 300);
    }

    /** Asks again until the answer is good: the server may be away for a while. */
    ClusterClient.Answer persist(String method, String path, @Nullable String body, Predicate<Integer> good) {
        String last = "";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                ClusterClient.Answer answer = client.send(method, path, body);
                if (good.test(answer.status())) {
                    return answer;
                }
                last = answer.toString();
            } catch (IOException e) {
                last = String.valueOf(e.getMessage());
            }
            LockSupport.parkNanos(Polling.PERIOD.toNanos());
        }
        throw new IllegalStateException(method + " " + path + " has not succeeded: " + last);
    }

    /** Asks once. */
    boolean succeeds(String method, String path, @Nullable String body) {
        try {
            return client.send(method, path, body).isSuccess();
        } catch (IOException e) {
            return false;
        }
    }

    /** Asks once; a missing node if nothing came. */
    JsonNode answer(String method, String path, @Nullable String body) {
        try {
            return client.send(method, path, body).body();
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    /** Whether the object has gone within this time. */
    boolean isGoneWithin(Duration patience, String path) {
        return Polling.waits(patience, () -> {
            try {
                return client.send("GET", path, null).status() == 404;
            } catch (IOException e) {
                return false;
            }
        });
    }
}
