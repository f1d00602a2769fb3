package dev.kopf4j.engine.rights;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.WellKnownResources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rights on a resource, and who needs them. Immutable.
 *
 * @param scope where
 * @param apiGroup the API group; empty for the core API, a star for all
 * @param resource the plural name, with the subresource behind a slash; a star for all
 * @param verbs what is done
 * @param resourceNames the names of the only objects that it is done with; empty for all
 * @param reason who needs it, in words for people; empty if that is clear without
 */
public record RequiredRule(
        RightScope scope,
        String apiGroup,
        String resource,
        List<String> verbs,
        List<String> resourceNames,
        String reason) {
    /**
     * Needed of owners that block the deletion of their children, and only where the cluster has the admission plugin
     * {@code OwnerReferencesPermissionEnforcement}: who has it is not asked, and nobody uses it elsewhere.
     *
     * @see <a
     *     href="https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement">the
     *     plugin</a>
     */
    static final String FINALIZERS = "finalizers";

    /** Copies the lists. */
    public RequiredRule {
        verbs = List.copyOf(verbs);
        resourceNames = List.copyOf(resourceNames);
    }

    /** A rule for all objects of a resource. */
    public static RequiredRule of(RightScope scope, Resource resource, String reason, String... verbs) {
        return new RequiredRule(scope, resource.group(), resource.plural(), List.of(verbs), List.of(), reason);
    }

    /**
     * The rules for an authority that the replicas of a webhook server share.
     *
     * @param scope the namespace of its Secret
     * @param secret the name of its Secret
     */
    public static List<RequiredRule> ofAuthority(RightScope scope, String secret) {
        String reason = "the authority of the webhooks' certificates, which all pods share";
        return List.of(
                of(scope, WellKnownResources.SECRETS, reason, "create"),
                of(scope, WellKnownResources.SECRETS, reason, "get", "update").onlyFor(secret));
    }

    /** True if most clusters do without it. */
    boolean isForSomeClusters() {
        return isForSomeClusters(resource);
    }

    /** True if most clusters do without rights on that resource, which has its subresource behind a slash. */
    public static boolean isForSomeClusters(String resource) {
        return resource.endsWith("/" + FINALIZERS);
    }

    /** The same for some objects only. */
    RequiredRule onlyFor(String... names) {
        return new RequiredRule(scope, apiGroup, resource, verbs, List.of(names), reason);
    }

    /** The same for a part of the objects. */
    RequiredRule of(String subresource) {
        return new RequiredRule(scope, apiGroup, resource + "/" + subresource, verbs, resourceNames, reason);
    }

    /**
     * Where a right is needed. Immutable.
     *
     * @param kind whether in the cluster or in a namespace
     * @param namespace the namespace; null for others
     */
    public record RightScope(Kind kind, @Nullable String namespace) implements Comparable<RightScope> {
        /** The kinds of scopes, the widest first. */
        public enum Kind {
            /** For all namespaces, and for what is in none. */
            CLUSTER,
            /** In a namespace whose name is known. */
            NAMESPACE,
            /** In the namespace in which the operator runs. */
            OWN
        }

        /** The whole cluster. */
        public static final RightScope CLUSTER = new RightScope(Kind.CLUSTER, null);

        /** The namespace in which the operator runs. */
        public static final RightScope OWN = new RightScope(Kind.OWN, null);

        /** A namespace; the whole cluster for null. */
        public static RightScope of(@Nullable String namespace) {
            return namespace == null ? CLUSTER : new RightScope(Kind.NAMESPACE, namespace);
        }

        @Override
        public int compareTo(RightScope other) {
            int byKind = kind.compareTo(other.kind);
            return byKind != 0 ? byKind : String.valueOf(namespace).compareTo(String.valueOf(other.namespace));
        }
    }
}
