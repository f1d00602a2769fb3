package dev.kopf4j.benchmarks.process;

/** The account of what is measured, with the rights that it needs. */
public final class OperatorAccount {
    /** Its name, in the namespace {@code default}. */
    public static final String NAME = "operator";

    /** The account, its role and their binding. */
    public static final String MANIFESTS = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: operator, namespace: default}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: operator}
            rules:
            - {apiGroups: [bench.kopf4j.dev], resources: [samples, samples/status], verbs: [list, watch, get, patch]}
            - {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [list, watch]}
            - {apiGroups: [""], resources: [namespaces], verbs: [list, watch]}
            - {apiGroups: ["", events.k8s.io], resources: [events], verbs: [create, patch]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: operator}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}
            subjects: [{kind: ServiceAccount, name: operator, namespace: default}]
            """;

    private OperatorAccount() {}
}
