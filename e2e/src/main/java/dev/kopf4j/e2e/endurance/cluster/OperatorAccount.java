package dev.kopf4j.e2e.endurance.cluster;

/** The account that the operator logs in as, with all rights. */
public final class OperatorAccount {
    private static final String ACCOUNT = "operator";
    private static final String ACCOUNTS =
            TrialScene.NAMESPACE_PATH + "/" + Trials.NAMESPACES.getFirst() + "/serviceaccounts";
    private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    static final String BINDING_PATH = BINDINGS + "/kopf4j-endurance";
    private static final String BINDING = """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"kopf4j-endurance"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},
             "subjects":[{"kind":"ServiceAccount","namespace":"%s","name":"%s"}]}
            """.formatted(Trials.NAMESPACES.getFirst(), ACCOUNT);

    private final RepeatedRequests requests;

    OperatorAccount(RepeatedRequests requests) {
        this.requests = requests;
    }

    void make() {
        requests.make(ACCOUNTS, account());
        requests.make(BINDINGS, BINDING);
    }

    /** A token of the operator's account. */
    public String token() {
        return requests.persist(
                        "POST",
                        ACCOUNTS + "/" + ACCOUNT + "/token",
                        "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{\"expirationSeconds\":7200}}",
                        status -> status < 300)
                .body()
                .at("/status/token")
                .asString();
    }

    /** Replaces the operator's account by one of the same name: the server refuses the tokens of the old one. */
    public void replace() {
        requests.persist("DELETE", ACCOUNTS + "/" + ACCOUNT, null, status -> status < 300 || status == 404);
        requests.make(ACCOUNTS, account());
    }

    private static String account() {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"" + ACCOUNT + "\"}}";
    }
}
