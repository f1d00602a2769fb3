package dev.kopf4j.cli.manifests;

/**
 * What the objects of an operator are called. Immutable.
 *
 * @param name the name of all objects in the namespace
 * @param clusterName the name of those in no namespace, and in the namespaces that it serves
 * @param namespace where the operator runs
 */
public record Names(String name, String clusterName, String namespace) {
    /**
     * The same name for all; in front of what is in no namespace, that of the operator, if it is another one: operators
     * of one name in two namespaces would overwrite each other's roles.
     */
    public static Names of(String name, String namespace) {
        return new Names(name, name.equals(namespace) ? name : namespace + "-" + name, namespace);
    }

    /** As Helm fills them in when the chart is installed. */
    static Names ofRelease() {
        return new Names(
                "{{ .Release.Name }}", "{{ .Release.Namespace }}-{{ .Release.Name }}", "{{ .Release.Namespace }}");
    }

    /** True if nobody else runs in the namespace of the operator, as far as names tell. */
    boolean hasOwnNamespace() {
        return namespace.equals(name) && !namespace.equals("default") && !namespace.startsWith("kube-");
    }

    /** The Service of the webhooks. */
    public String webhooks() {
        return name + "-webhooks";
    }

    /** True if the Service of the webhooks can be called so. */
    public boolean areForWebhooks() {
        return OperatorName.isName(webhooks());
    }

    /** The Secret with the authority that several pods behind that Service share. */
    String webhookAuthority() {
        return webhooks() + "-ca";
    }
}
