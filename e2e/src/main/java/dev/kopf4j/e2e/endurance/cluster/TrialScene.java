package dev.kopf4j.e2e.endurance.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Sets up in the cluster what the objects need, tears it down while they exist, and tidies up at the end. */
public final class TrialScene {
    private static final String NAMESPACE_PATH = "/api/v1/namespaces";
    private static final String ACCOUNT = "operator";
    private static final String ACCOUNTS = NAMESPACE_PATH + "/" + Trials.NAMESPACES.getFirst() + "/serviceaccounts";
    private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    private static final String BINDING = """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"kopf4j-endurance"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},
             "subjects":[{"kind":"ServiceAccount","namespace":"%s","name":"%s"}]}
            """.formatted(Trials.NAMESPACES.getFirst(), ACCOUNT);
    private static final Duration POLL = Duration.ofMillis(100);

    private final ClusterClient client;

    public TrialScene(ClusterClient client) {
        this.client = client;
    }

    /** Makes the definition, the namespaces, and the operator's account with all rights. */
    public void setUp() {
        define();
        Trials.NAMESPACES.forEach(this::createNamespace);
        make(ACCOUNTS, account());
        make(BINDINGS, BINDING);
    }

    /** Makes the definition; waits until its objects are served. */
    public void define() {
        make(Trials.DEFINITIONS, Trials.DEFINITION);
        await("trials are served", Duration.ofSeconds(30), () -> succeeds("GET", Trials.ALL + "?limit=1", null));
    }

    /** Asks for the deletion of the definition, and so of all objects. */
    public void deleteDefinition() {
        persist("DELETE", Trials.DEFINITIONS + "/" + Trials.DEFINITION_NAME, null, status -> status < 300);
    }

    /** Whether the definition has gone within this time. */
    public boolean definitionGoes(Duration patience) {
        return isGoneWithin(patience, Trials.DEFINITIONS + "/" + Trials.DEFINITION_NAME);
    }

    public void createNamespace(String name) {
        make(NAMESPACE_PATH, "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    public void deleteNamespace(String name) {
        persist("DELETE", NAMESPACE_PATH + "/" + name, null, status -> status < 300);
    }

    /** Whether the namespace has gone within this time. */
    public boolean namespaceGoes(String name, Duration patience) {
        return isGoneWithin(patience, NAMESPACE_PATH + "/" + name);
    }

    /** A token of the operator's account. */
    public String token() {
        return persist(
                        "POST",
                        ACCOUNTS + "/" + ACCOUNT + "/token",
                        "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{\"expirationSeconds\":7200}}",
                        status -> status < 300)
                .body()
                .at("/status/token")
                .asString();
    }

    /** Replaces the operator's account by one of the same name: the server refuses the tokens of the old one. */
    public void replaceAccount() {
        persist("DELETE", ACCOUNTS + "/" + ACCOUNT, null, status -> status < 300 || status == 404);
        make(ACCOUNTS, account());
    }

    /** Deletes all that was made. */
    public void tidyUp() {
        deleteQuietly(Trials.DEFINITIONS + "/" + Trials.DEFINITION_NAME);
        Trials.NAMESPACES.forEach(name -> deleteQuietly(NAMESPACE_PATH + "/" + name));
        deleteQuietly(BINDINGS + "/kopf4j-endurance");
    }

    private void deleteQuietly(String path) {
        if (!succeeds("DELETE", path, null)) {
            System.err.println("not deleted: " + path);
        }
    }

    private static String account() {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"" + ACCOUNT + "\"}}";
    }

    private void make(String path, String object) {
        persist("POST", path, object, status -> status < 300 || status == 409);
    }

    /** Asks again until the answer is good: the server may be away for a while. */
    private ClusterClient.Answer persist(String method, String path, @Nullable String body, Predicate<Integer> good) {
        String last = "";
        for (int attempt = 0; attempt < 300; attempt++) {
            try {
                ClusterClient.Answer answer = client.send(method, path, body);
                if (good.test(answer.status())) {
                    return answer;
                }
                last = answer.toString();
            } catch (IOException e) {
                last = String.valueOf(e.getMessage());
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        throw new IllegalStateException(method + " " + path + " has not succeeded: " + last);
    }

    private boolean succeeds(String method, String path, @Nullable String body) {
        try {
            return client.send(method, path, body).isSuccess();
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isGoneWithin(Duration patience, String path) {
        return waits(patience, () -> {
            try {
                return client.send("GET", path, null).status() == 404;
            } catch (IOException e) {
                return false;
            }
        });
    }

    private static void await(String what, Duration patience, BooleanSupplier condition) {
        if (!waits(patience, condition)) {
            throw new IllegalStateException("not within " + patience.toSeconds() + " s: " + what);
        }
    }

    /** Whether the condition comes true within this time. */
    public static boolean waits(Duration patience, BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        return true;
    }
}
