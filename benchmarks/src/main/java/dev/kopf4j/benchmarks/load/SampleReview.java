package dev.kopf4j.benchmarks.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A review such as API servers send: of 1.7 KB, for a ConfigMap that is changed. */
public final class SampleReview {
    private static final String OBJECT = """
            {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"settings","namespace":"default",\
            "uid":"6f2c7d3e-52b5-4c5c-8c1f-0d9a1f3b7a55","resourceVersion":"4711","creationTimestamp":"2025-06-01T12:00:00Z",\
            "labels":{"app.kubernetes.io/name":"sample","app.kubernetes.io/managed-by":"bench"},"managedFields":[{"manager":"bench",\
            "operation":"Update","apiVersion":"v1","time":"2025-06-01T12:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},\
            "f:size":{},"f:text":{}},"f:metadata":{"f:labels":{".":{},"f:app.kubernetes.io/name":{}}}}}]},\
            "data":{"size":"%s","text":"Lorem ipsum dolor sit amet, consectetur adipiscing elit"}}""";

    private static final byte[] REVIEW = """
            {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"705ab4f5-6393-11e8-b7cc-42010a800002",\
            "kind":{"group":"","version":"v1","kind":"ConfigMap"},"resource":{"group":"","version":"v1","resource":"configmaps"},\
            "requestKind":{"group":"","version":"v1","kind":"ConfigMap"},"requestResource":{"group":"","version":"v1",\
            "resource":"configmaps"},"name":"settings","namespace":"default","operation":"UPDATE","userInfo":{"username":"admin",\
            "groups":["system:masters","system:authenticated"]},"object":%s,"oldObject":%s,"dryRun":false,\
            "options":{"kind":"UpdateOptions","apiVersion":"meta.k8s.io/v1","fieldManager":"bench"}}}""".formatted(OBJECT.formatted("small"), OBJECT.formatted("smaller"))
            .getBytes(StandardCharsets.UTF_8);

    private SampleReview() {}

    /** Asks about it. */
    public static void send(LoadConnection connection) throws IOException {
        connection.send("POST", "/check", "application/json", REVIEW);
    }
}
