package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.authentication.RequestAuthenticator;
import dev.kopf4j.devcluster.authentication.UserInfo;
import java.util.Optional;

/** Authenticates the user of a request, and decides whether the user may make it. Thread-safe. */
public final class AccessControl {
    private final boolean on;
    private final RequestAuthenticator authenticator;
    private final RbacAuthorizer rbacAuthorizer;
    private final Impersonation impersonation = new Impersonation(this::check);

    /**
     * Access control by RBAC.
     *
     * @param on whether RBAC decides; if not, every user may do everything
     */
    public AccessControl(boolean on, RequestAuthenticator authenticator, RbacAuthorizer rbacAuthorizer) {
        this.on = on;
        this.authenticator = authenticator;
        this.rbacAuthorizer = rbacAuthorizer;
    }

    /** The user of a request; 401 for unknown credentials, 403 if the user may not make it. */
    public UserInfo authorize(ApiRequest request) {
        UserInfo user = impersonation.apply(request, authenticator.authenticate(request));
        check(user, AuthorizationAttributes.of(request));
        return user;
    }

    private void check(UserInfo user, AuthorizationAttributes attributes) {
        if (!allows(user, attributes)) {
            throw ForbiddenMessage.of(user, attributes);
        }
    }

    /** Whether a user may do something. */
    public boolean allows(UserInfo user, AuthorizationAttributes attributes) {
        return !on || rbacAuthorizer.allows(user, attributes);
    }

    /** Names the binding that lets a user do something; empty if there is none, or none is needed. */
    public Optional<String> reason(UserInfo user, AuthorizationAttributes attributes) {
        return on && !user.isMaster() ? rbacAuthorizer.reason(user, attributes) : Optional.empty();
    }
}
