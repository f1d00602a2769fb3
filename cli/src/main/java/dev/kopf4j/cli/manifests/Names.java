package dev.kopf4j.cli.manifests;

/**
 * What the objects of an operator are called. Immutable.
 *
 * @param name the name of all objects in the namespace
 * @param clusterName the name of those in no namespace
 * @param namespace where the operator runs
 */
public record Names(String name, String clusterName, String namespace) {
    /** The same name for all. */
    public static Names of(String name, String namespace) {
        return new Names(name, name, namespace);
    }

    /** As Helm fills them in when the chart is installed. */
    static Names ofRelease() {
        return new Names(
                "{{ .Release.Name }}", "{{ .Release.Namespace }}-{{ .Release.Name }}", "{{ .Release.Namespace }}");
    }

    /** The Service of the webhooks. */
    String webhooks() {
        return name + "-webhooks";
    }
}
