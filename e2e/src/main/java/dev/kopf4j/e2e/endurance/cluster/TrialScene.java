package dev.kopf4j.e2e.endurance.cluster;

import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Sets up in the cluster what the objects need, tears it down while they exist, and tidies up at the end. */
public final class TrialScene {
    private static final Duration SERVED = Duration.ofSeconds(30);
    private static final Duration GONE = Duration.ofMinutes(1);
    static final String NAMESPACE_PATH = "/api/v1/namespaces";
    private final RepeatedRequests requests;
    private final OperatorAccount account;

    public TrialScene(ClusterClient client) {
        this.requests = new RepeatedRequests(client);
        this.account = new OperatorAccount(requests);
    }

    /** Makes the definition, the namespaces, and the operator's account with all rights. */
    public void setUp() {
        define();
        Trials.NAMESPACES.forEach(this::createNamespace);
        account.make();
    }

    /** Makes the definition; waits until its objects are served. */
    public void define() {
        requests.make(Trials.DEFINITIONS, Trials.DEFINITION);
        if (!Polling.waits(SERVED, () -> requests.succeeds("GET", Trials.ALL + "?limit=1", null))) {
            throw new IllegalStateException("not within " + SERVED.toSeconds() + " s: trials are served");
        }
    }

    /** Asks for the deletion of the definition, and so of all objects. */
    public void deleteDefinition() {
        requests.delete(Trials.DEFINITIONS + "/" + Trials.DEFINITION_NAME);
    }

    /** Whether the definition has gone within this time. */
    public boolean definitionGoes(Duration patience) {
        return requests.isGoneWithin(patience, Trials.DEFINITIONS + "/" + Trials.DEFINITION_NAME);
    }

    public void createNamespace(String name) {
        requests.make(
                NAMESPACE_PATH,
                "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    public void deleteNamespace(String name) {
        requests.delete(NAMESPACE_PATH + "/" + name);
    }

    /** Whether the namespace has gone within this time. */
    public boolean namespaceGoes(String name, Duration patience) {
        return requests.isGoneWithin(patience, NAMESPACE_PATH + "/" + name);
    }

    /** What the operator logs in as. */
    public OperatorAccount account() {
        return account;
    }

    /** Deletes all that was made, and waits for the end of the objects, of which no operator takes care any more. */
    public void tidyUp() {
        deleteQuietly(Trials.DEFINITIONS + "/" + Trials.DEFINITION_NAME);
        if (!Polling.waits(GONE, this::isWithoutObjects)) {
            System.err.println("not gone: " + Trials.DEFINITION_NAME);
        }
        Trials.NAMESPACES.forEach(name -> deleteQuietly(NAMESPACE_PATH + "/" + name));
        deleteQuietly(OperatorAccount.BINDING_PATH);
    }

    /** Releases what is left; whether the definition has gone. */
    private boolean isWithoutObjects() {
        for (JsonNode object : requests.answer("GET", Trials.ALL, null).path("items")) {
            JsonNode metadata = object.path("metadata");
            String path = Trials.in(metadata.path("namespace").asString()) + "/"
                    + metadata.path("name").asString();
            requests.answer("PATCH", path, "{\"metadata\":{\"finalizers\":null}}");
        }
        return definitionGoes(Duration.ZERO);
    }

    private void deleteQuietly(String path) {
        if (!requests.succeeds("DELETE", path, null)) {
            System.err.println("not deleted: " + path);
        }
    }
}
