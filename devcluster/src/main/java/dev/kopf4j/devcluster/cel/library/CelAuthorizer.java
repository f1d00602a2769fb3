package dev.kopf4j.devcluster.cel.library;

/** What a user may do, for expressions that ask. Thread-safe. */
public interface CelAuthorizer {
    /**
     * The answer.
     *
     * @param reason why it is allowed; may be empty
     */
    record Decision(boolean allowed, String reason) {}

    /** Whether the user may do this to a path that names no resource. */
    Decision path(String verb, String path);

    /** Whether the user may do this to a resource. */
    Decision resource(String verb, ResourceCheck check);

    /** What a service account may do. */
    CelAuthorizer ofServiceAccount(String namespace, String name);

    /** A path that a user wants to use. */
    record PathCheck(CelAuthorizer authorizer, String path) {
        Decision check(String verb) {
            return authorizer.path(verb, path);
        }
    }

    /** The resources of a group that a user wants to use. */
    record GroupCheck(CelAuthorizer authorizer, String group) {}

    /** A resource that a user wants to use. */
    record ResourceCheck(
            CelAuthorizer authorizer,
            String group,
            String resource,
            String subresource,
            String namespace,
            String name) {
        Decision check(String verb) {
            return authorizer.resource(verb, this);
        }

        ResourceCheck ofSubresource(String other) {
            return new ResourceCheck(authorizer, group, resource, other, namespace, name);
        }

        ResourceCheck inNamespace(String other) {
            return new ResourceCheck(authorizer, group, resource, subresource, other, name);
        }

        ResourceCheck named(String other) {
            return new ResourceCheck(authorizer, group, resource, subresource, namespace, other);
        }
    }
}
