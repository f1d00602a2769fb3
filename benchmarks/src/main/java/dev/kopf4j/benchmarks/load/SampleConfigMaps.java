package dev.kopf4j.benchmarks.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The objects with which the dev cluster is measured by itself. */
public final class SampleConfigMaps {
    public static final String PATH = "/api/v1/namespaces/default/configmaps";

    private SampleConfigMaps() {}

    /** Creates one with so many characters of data. */
    public static void create(LoadConnection connection, String name, int size) throws IOException {
        connection.send("POST", PATH, "application/json", json(name, size));
    }

    private static byte[] json(String name, int size) {
        return ("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                        + "\",\"labels\":{\"app\":\"bench\"}},\"data\":{\"a\":\"" + "x".repeat(size) + "\"}}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
