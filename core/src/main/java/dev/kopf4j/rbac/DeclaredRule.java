package dev.kopf4j.rbac;

import java.util.List;

/**
 * What {@link PolicyRule} says of methods and classes, for handlers that are functions: a right that they need for what
 * they do by themselves. Immutable.
 *
 * @see dev.kopf4j.OperatorBuilder#policyRule
 */
public final class DeclaredRule {
    private final List<String> apiGroups;
    private final List<String> resources;
    private final List<String> verbs;
    private final List<String> resourceNames;
    private final String namespace;
    private final boolean clusterwide;

    private DeclaredRule(
            List<String> apiGroups,
            List<String> resources,
            List<String> verbs,
            List<String> resourceNames,
            String namespace,
            boolean clusterwide) {
        this.apiGroups = List.copyOf(apiGroups);
        this.resources = List.copyOf(resources);
        this.verbs = List.copyOf(verbs);
        this.resourceNames = List.copyOf(resourceNames);
        this.namespace = namespace;
        this.clusterwide = clusterwide;
    }

    /** A right on resources of the core API, where the operator's objects are. */
    public static DeclaredRule of(List<String> resources, String... verbs) {
        return new DeclaredRule(List.of(""), resources, List.of(verbs), List.of(), "", false);
    }

    /** What an annotation says. */
    public static DeclaredRule of(PolicyRule rule) {
        return new DeclaredRule(
                List.of(rule.apiGroups()),
                List.of(rule.resources()),
                List.of(rule.verbs()),
                List.of(rule.resourceNames()),
                rule.namespace(),
                rule.clusterwide());
    }

    /** The same for resources of these API groups. */
    public DeclaredRule inGroups(String... groups) {
        return new DeclaredRule(List.of(groups), resources, verbs, resourceNames, namespace, clusterwide);
    }

    /** The same for the objects of these names only. */
    public DeclaredRule onlyFor(String... names) {
        return new DeclaredRule(apiGroups, resources, verbs, List.of(names), namespace, clusterwide);
    }

    /** The same in this namespace only; {@link PolicyRule#OWN} is the one in which the operator runs. */
    public DeclaredRule inNamespace(String name) {
        return new DeclaredRule(apiGroups, resources, verbs, resourceNames, name, false);
    }

    /** The same in all namespaces, and for resources that are in none. */
    public DeclaredRule everywhere() {
        return new DeclaredRule(apiGroups, resources, verbs, resourceNames, "", true);
    }

    /** The API groups of the resources; empty text for the core API. */
    public List<String> apiGroups() {
        return apiGroups;
    }

    /** The plural names of the resources, subresources behind a slash. */
    public List<String> resources() {
        return resources;
    }

    /** What is done with them. */
    public List<String> verbs() {
        return verbs;
    }

    /** The names of the only objects that it is for; empty for all. */
    public List<String> resourceNames() {
        return resourceNames;
    }

    /** The only namespace that it is for; empty for all that the operator serves. */
    public String namespace() {
        return namespace;
    }

    /** True if it is for all namespaces, and for resources that are in none. */
    public boolean clusterwide() {
        return clusterwide;
    }
}
