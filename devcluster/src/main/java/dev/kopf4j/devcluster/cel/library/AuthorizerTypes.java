package dev.kopf4j.devcluster.cel.library;

import dev.cel.common.types.OpaqueType;

/**
 * The types by which expressions ask what a user may do: {@code pkg/cel/library/authz.go}, apiserver library, v1.33.
 */
public final class AuthorizerTypes {
    /** What a user may do at all. */
    public static final OpaqueType AUTHORIZER = OpaqueType.create("kubernetes.authorization.Authorizer");

    /** A path that names no resource. */
    static final OpaqueType PATH_CHECK = OpaqueType.create("kubernetes.authorization.PathCheck");

    /** An API group. */
    static final OpaqueType GROUP_CHECK = OpaqueType.create("kubernetes.authorization.GroupCheck");

    /** A resource. */
    public static final OpaqueType RESOURCE_CHECK = OpaqueType.create("kubernetes.authorization.ResourceCheck");

    /** The answer. */
    static final OpaqueType DECISION = OpaqueType.create("kubernetes.authorization.Decision");

    private AuthorizerTypes() {}
}
