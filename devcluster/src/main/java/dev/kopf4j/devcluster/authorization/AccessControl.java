package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.authentication.RequestAuthenticator;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Authenticates the user of a request, and decides whether the user may make it. Thread-safe. */
public final class AccessControl {
    private final boolean on;
    private final boolean alwaysAllow;
    private final RequestAuthenticator authenticator;
    private final RbacAuthorizer rbacAuthorizer;
    private final Impersonation impersonation = new Impersonation(this::check);

    /**
     * Access control by RBAC.
     *
     * @param on whether RBAC decides; if not, every user may do everything
     * @param alwaysAllow whether every user may do what RBAC does not allow
     */
    public AccessControl(
            boolean on, boolean alwaysAllow, RequestAuthenticator authenticator, RbacAuthorizer rbacAuthorizer) {
        this.on = on;
        this.alwaysAllow = alwaysAllow;
        this.authenticator = authenticator;
        this.rbacAuthorizer = rbacAuthorizer;
    }

    /** The user of a request; 401 for unknown credentials, 403 if the user may not make it. */
    public UserInfo authorize(ApiRequest request) {
        UserInfo user = impersonation.apply(request, authenticator.authenticate(request));
        check(user, AuthorizationAttributes.of(request));
        return user;
    }

    /** Refuses a request that would create an object of a user who may not do that, with 403. */
    public void checkCreation(UserInfo user, AuthorizationAttributes request) {
        check(
                user,
                new AuthorizationAttributes(
                        "create",
                        request.group(),
                        request.resource(),
                        request.subresource(),
                        request.namespace(),
                        request.name(),
                        ""));
    }

    private void check(UserInfo user, AuthorizationAttributes attributes) {
        if (!allows(user, attributes)) {
            throw forbiddenMessage(user, attributes);
        }
    }

    /** Whether a user may do something. */
    public boolean allows(UserInfo user, AuthorizationAttributes attributes) {
        return !on || alwaysAllow || rbacAuthorizer.allows(user, attributes);
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
        private static final String API_VERSION = "authentication.k8s.io/v1";
        private static final String UNAUTHENTICATED = "system:unauthenticated";
        private final Check check;

        /** Refuses an act with 403 if the user may not do it. */
        @FunctionalInterface
        interface Check {
            void check(UserInfo user, AuthorizationAttributes attributes);
        }

        Impersonation(Check check) {
            this.check = check;
        }

        /** What a request wants to act as; written as Go writes a reference to an object. */
        private record Wanted(String kind, String namespace, String name, String apiVersion, String field) {
            static Wanted of(String kind, String namespace, String name) {
                return new Wanted(kind, namespace, name, "", "");
            }

            AuthorizationAttributes attributes() {
                String resource = kind.toLowerCase(Locale.ROOT) + "s";
                String group = apiVersion.isEmpty() ? "" : "authentication.k8s.io";
                return new AuthorizationAttributes("impersonate", group, resource, field, namespace, name, "");
            }

            @Override
            public String toString() {
                return "{" + String.join(" ", kind, namespace, name, "", apiVersion, "", field) + "}";
            }
        }

        /** The user that a request acts as: the one that its headers name, or else the given user. */
        UserInfo apply(ApiRequest request, UserInfo user) {
            if (!request.hasHeaderOf("impersonate-")) {
                return user;
            }
            String name = values(request, "impersonate-user").findFirst().orElse("");
            List<String> groups =
                    new ArrayList<>(values(request, "impersonate-group").toList());
            Map<String, List<String>> extra = extra(request);
            String uid = values(request, "impersonate-uid").findFirst().orElse("");
            Matcher account = ACCOUNT.matcher(name);
            List<Wanted> wanted = new ArrayList<>();
            if (account.matches()) {
                wanted.add(Wanted.of("ServiceAccount", account.group(1), account.group(2)));
            } else if (!name.isEmpty()) {
                wanted.add(Wanted.of("User", "", name));
            }
            groups.forEach(group -> wanted.add(Wanted.of("Group", "", group)));
            extra.forEach((key, values) ->
                    values.forEach(value -> wanted.add(new Wanted("UserExtra", "", value, API_VERSION, key))));
            if (!uid.isEmpty()) {
                wanted.add(new Wanted("UID", "", uid, API_VERSION, ""));
            }
            if (name.isEmpty()) {
                if (!wanted.isEmpty()) {
                    String shown = wanted.stream().map(Wanted::toString).collect(Collectors.joining(" "));
                    throw ApiException.internal("requested [" + shown + "] without impersonating a user");
                }
                return user;
            }
            wanted.forEach(each -> check.check(user, each.attributes()));
            if (groups.isEmpty() && account.matches()) {
                groups.addAll(List.of("system:serviceaccounts", "system:serviceaccounts:" + account.group(1)));
            }
            boolean anonymous = name.equals("system:anonymous");
            if (!groups.contains(UNAUTHENTICATED) && (anonymous || !groups.contains(UserInfo.AUTHENTICATED))) {
                groups.add(anonymous ? UNAUTHENTICATED : UserInfo.AUTHENTICATED);
            }
            return new UserInfo(name, uid, groups, extra);
        }

        private static Stream<String> values(ApiRequest request, String header) {
            return request.header(header).stream().flatMap(String::lines);
        }

        private static Map<String, List<String>> extra(ApiRequest request) {
            Map<String, List<String>> extra = new TreeMap<>();
            request.headers().forEach((name, value) -> {
                if (name.startsWith(EXTRA)) {
                    extra.put(
                            unescaped(name.substring(EXTRA.length())),
                            value.lines().toList());
                }
            });
            return extra;
        }

        private static String unescaped(String key) {
            try {
                return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                return key; // as it was sent
            }
        }
    }
}
