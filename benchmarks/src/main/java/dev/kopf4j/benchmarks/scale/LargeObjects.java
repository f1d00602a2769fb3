package dev.kopf4j.benchmarks.scale;

import dev.kopf4j.benchmarks.load.SampleObjects;

/** Objects of 2 KB that an operator has handled: it has nothing to do for them. */
final class LargeObjects {
    /** What is asked for in all lists, as the operator does. */
    static final int PAGE = 500;

    private static final String NOTE = "lorem ipsum dolor sit amet ".repeat(17);

    private LargeObjects() {}

    static String path(int number) {
        return SampleObjects.PATH + "/" + name(number);
    }

    private static String name(int number) {
        return "large-" + number;
    }

    /** The object as JSON; the server adds some 400 bytes of metadata. */
    static String body(int number) {
        String spec = "{\"image\":\"registry.example.com/team/service:1.2.3\",\"note\":\"" + NOTE
                + "\",\"replicas\":3,\"size\":\"1Gi\"}";
        return """
                {"apiVersion":"bench.kopf4j.dev/v1","kind":"Sample","metadata":{"name":"%s","labels":{"app":"bench"},\
                "annotations":{"kopf.zalando.org/last-handled-configuration":"%s"}},"spec":%s,\
                "status":{"make":{"made":"%s","size":"1Gi"}}}""".formatted(name(number), essence(spec), spec, name(number));
    }

    private static String essence(String spec) {
        return "{\\\"spec\\\":" + spec.replace("\"", "\\\"")
                + ",\\\"metadata\\\":{\\\"labels\\\":{\\\"app\\\":\\\"bench\\\"}}}\\n";
    }
}
