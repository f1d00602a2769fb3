package dev.kopf4j.testing;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.faultinjection.Faults;

/** The cluster that a test runs on. Thread-safe in real time. Made by the framework; not to be implemented. */
public interface TestCluster {
    /** The namespace of the test: {@code default}, or one of its own in a cluster that exists. */
    String namespace();

    /**
     * Creates or updates objects, given as YAML or JSON; definitions and namespaces come first. Objects without a
     * namespace get into that of the test. On a cluster that exists, a definition that is there already is left as it
     * is, one that is missing is made and stays, and nothing else outside of the test's namespace is touched.
     *
     * @throws IllegalStateException if the cluster exists, and has another definition than the test needs
     * @throws UnsupportedOperationException if the cluster exists, and an object is not for the test's namespace
     * @throws IllegalArgumentException if an object is refused, with the server's message
     */
    void apply(String manifests);

    /**
     * The faults to inject.
     *
     * @throws UnsupportedOperationException on a cluster that exists
     */
    Faults faults();

    /**
     * Forgets all versions but the present ones, as a compaction of etcd does: watches from older versions get 410.
     *
     * @throws UnsupportedOperationException on a cluster that exists
     */
    void compact();

    /**
     * Answers a request without a socket.
     *
     * @throws UnsupportedOperationException on a cluster that exists
     */
    ApiResponse handle(ApiRequest request);
}
