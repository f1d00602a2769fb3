package dev.kopf4j.benchmarks.memory;

/** Pods that are told by their numbers, from 0. */
public final class NumberedPods {
    private NumberedPods() {}

    /** They are spread over a hundred namespaces. */
    public static String namespace(int pod) {
        return "namespace-" + pod % 100;
    }

    public static String name(int pod) {
        return "pod-" + pod;
    }

    /** A pod of some 700 bytes: a small one. */
    public static String small(int pod) {
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"%s","uid":"00000000-0000-4000-8000-%012d",\
                "resourceVersion":"%d","creationTimestamp":"2026-01-01T00:00:00Z","labels":{"app":"app-%d","tier":"web"}},\
                "spec":{"nodeName":"node-%d","containers":[{"name":"main","image":"example.com/app:%d","resources":{"requests":\
                {"cpu":"100m","memory":"128Mi"}},"ports":[{"containerPort":8080,"protocol":"TCP"}]}],"restartPolicy":"Always",\
                "serviceAccountName":"default"},"status":{"phase":"Running","podIP":"10.0.0.1","conditions":[{"type":"Ready",\
                "status":"True"}]}}""".formatted(name(pod), namespace(pod), pod, pod + 1, pod % 50, pod % 1000, pod % 10);
    }
}
