package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.authorization.AuthorizationAttributes;
import dev.kopf4j.devcluster.cel.library.CelAuthorizer;
import java.util.List;
import java.util.Map;

/** What a user may do, for expressions that ask for {@code authorizer}. Thread-safe. */
record UserRights(AccessControl accessControl, UserInfo user) implements CelAuthorizer {
    /** The resource of a request, for those that ask for {@code authorizer.requestResource}. */
    ResourceCheck requested(AdmissionAttributes operation) {
        return new ResourceCheck(
                this,
                operation.resource().group(),
                operation.resource().plural(),
                operation.subresource(),
                operation.namespace(),
                operation.name());
    }

    @Override
    public Decision path(String verb, String path) {
        return decision(AuthorizationAttributes.ofPath(verb, path));
    }

    @Override
    public Decision resource(String verb, ResourceCheck check) {
        return decision(new AuthorizationAttributes(
                verb, check.group(), check.resource(), check.subresource(), check.namespace(), check.name(), ""));
    }

    private Decision decision(AuthorizationAttributes asked) {
        boolean allowed = accessControl.allows(user, asked);
        return new Decision(allowed, allowed ? accessControl.reason(user, asked).orElse("") : "");
    }

    @Override
    public CelAuthorizer ofServiceAccount(String namespace, String name) {
        String account = "system:serviceaccount:" + namespace + ":" + name;
        List<String> groups = List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace);
        return new UserRights(accessControl, new UserInfo(account, "", groups, Map.of()));
    }
}
