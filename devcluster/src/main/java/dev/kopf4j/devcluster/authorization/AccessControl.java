package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.authentication.RequestAuthenticator;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
            throw forbiddenMessage(user, attributes);
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

    /**
     * The 403 about what a user may not do: {@code forbiddenMessage} in
     * {@code pkg/endpoints/handlers/responsewriters/errors.go} of the apiserver library, v1.33.
     */
    private static ApiException forbiddenMessage(UserInfo user, AuthorizationAttributes attributes) {
        String who = "User \"" + user.name() + "\" cannot " + attributes.verb();
        if (!attributes.isResource()) {
            String message = "forbidden: " + who + " path \"" + attributes.path() + "\"";
            return ApiException.of(403, "Forbidden", message, Json.object(), true);
        }
        String where = attributes.namespace().isEmpty()
                ? "at the cluster scope"
                : "in the namespace \"" + attributes.namespace() + "\"";
        return ApiException.forbidden(
                new StatusDetails(attributes.group(), attributes.resource(), attributes.name()),
                who + " resource \"" + attributes.qualifiedResource() + "\" in API group \"" + attributes.group()
                        + "\" " + where,
                List.of(),
                "");
    }

    /**
     * Lets users act as others, by the headers {@code Impersonate-*}: {@code pkg/endpoints/filters/impersonation.go} of
     * the apiserver library, v1.33. Thread-safe.
     */
    private static final class Impersonation {
        private static final Pattern ACCOUNT = Pattern.compile("system:serviceaccount:([^:]+):([^:]+)");
        private static final String EXTRA = "impersonate-extra-";
        private final Check check;

        /** Refuses an act with 403 if the user may not do it. */
        @FunctionalInterface
        interface Check {
            void check(UserInfo user, AuthorizationAttributes attributes);
        }

        Impersonation(Check check) {
            this.check = check;
        }

        /** The user that a request acts as: the one that its headers name, or else the given user. */
        UserInfo apply(ApiRequest request, UserInfo user) {
            String name = request.header("impersonate-user").orElse("");
            if (name.isEmpty()) {
                if (request.header("impersonate-group").isPresent()) {
                    throw ApiException.internal("requested groups without impersonating a user");
                }
                return user;
            }
            Matcher account = ACCOUNT.matcher(name);
            if (account.matches()) {
                check(user, "serviceaccounts", account.group(1), account.group(2));
            } else {
                check(user, "users", "", name);
            }
            List<String> groups = groups(request, user);
            if (groups.isEmpty() && account.matches()) {
                groups.addAll(List.of("system:serviceaccounts", "system:serviceaccounts:" + account.group(1)));
            }
            if (!groups.contains(UserInfo.AUTHENTICATED)) {
                groups.add(name.equals("system:anonymous") ? "system:unauthenticated" : UserInfo.AUTHENTICATED);
            }
            return new UserInfo(name, request.header("impersonate-uid").orElse(""), groups, extra(request));
        }

        private List<String> groups(ApiRequest request, UserInfo user) {
            List<String> groups = new ArrayList<>();
            for (String group : request.header("impersonate-group").orElse("").split(",", -1)) {
                if (!group.isBlank()) {
                    check(user, "groups", "", group.strip());
                    groups.add(group.strip());
                }
            }
            return groups;
        }

        private static Map<String, List<String>> extra(ApiRequest request) {
            Map<String, List<String>> extra = new HashMap<>();
            request.headers().forEach((name, value) -> {
                if (name.startsWith(EXTRA)) {
                    extra.put(name.substring(EXTRA.length()).toLowerCase(Locale.ROOT), List.of(value));
                }
            });
            return extra;
        }

        private void check(UserInfo user, String resource, String namespace, String name) {
            check.check(user, new AuthorizationAttributes("impersonate", "", resource, "", namespace, name, ""));
        }
    }
}
