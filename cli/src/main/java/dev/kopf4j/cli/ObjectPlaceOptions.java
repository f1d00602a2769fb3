package dev.kopf4j.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the objects are about which a command asks something. */
final class ObjectPlaceOptions {
    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "The namespace of the objects (default: that of the credentials).")
    private @Nullable String namespace;

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "With --selector: the objects of all namespaces.")
    private boolean allNamespaces;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Take the cluster and the credentials from this file.")
    private @Nullable Path kubeconfig;

    ObjectPlace place() {
        return new ObjectPlace(namespace, allNamespaces, kubeconfig);
    }

    /**
     * The same as values.
     *
     * @param namespace the namespace; null for that of the credentials
     * @param everywhere true for all namespaces
     * @param kubeconfig where the cluster and the credentials are; null for the usual places
     */
    record ObjectPlace(
            @Nullable String namespace,
            boolean everywhere,
            @Nullable Path kubeconfig) {}
}
