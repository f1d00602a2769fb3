package dev.kopf4j.benchmarks.memory;

/** Pods that have the operator's finalizer already. */
public final class HeldPods {
    private HeldPods() {}

    /** How large a pod is, as compact JSON. */
    public static int bodySize() {
        return pod(12_345).length();
    }

    public static String pod(int pod) {
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"%s",\
                "uid":"00000000-0000-4000-8000-%012d","resourceVersion":"%d","creationTimestamp":"2026-01-01T00:00:00Z",\
                "finalizers":["kopf.zalando.org/KopfFinalizerMarker"],"labels":{"app":"web"}},"spec":{"nodeName":"node-1",\
                "containers":[{"name":"main","image":"example.com/app:1"}]},"status":{"phase":"Running"}}""".formatted(NumberedPods.name(pod), NumberedPods.namespace(pod), pod, pod + 1);
    }
}
