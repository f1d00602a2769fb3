package dev.kopf4j.devcluster.access;

import dev.kopf4j.devcluster.ApiRequest;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decides who asks and whether he may. Thread-safe. */
public final class Gate {
    private static final Pattern ACCOUNT = Pattern.compile("system:serviceaccount:([^:]+):([^:]+)");
    private static final String BEARER = "Bearer ";
    private final boolean authenticates;
    private final boolean authorizes;
    private final String adminToken;
    private final Tokens tokens;
    private final Rbac rbac;

    /**
     * A gate.
     *
     * @param authenticates whether credentials are needed; without, everybody is the administrator
     * @param authorizes whether RBAC decides
     */
    public Gate(boolean authenticates, boolean authorizes, String adminToken, Tokens tokens, Rbac rbac) {
        this.authenticates = authenticates;
        this.authorizes = authorizes;
        this.adminToken = adminToken;
        this.tokens = tokens;
        this.rbac = rbac;
    }

    /** Who asks; 401 for credentials that nobody knows, 403 for what he may not do. */
    public User admit(ApiRequest request) {
        User user = impersonated(request, authenticate(request));
        Attributes attributes = Attributes.of(request);
        if (!allows(user, attributes)) {
            throw refused(user, attributes);
        }
        return user;
    }

    /** Whether somebody may do something. */
    public boolean allows(User user, Attributes attributes) {
        return !authorizes || rbac.allows(user, attributes);
    }

    /** Why somebody may do something, if a binding lets him. */
    Optional<String> reason(User user, Attributes attributes) {
        return authorizes && !user.isMaster() ? rbac.reason(user, attributes) : Optional.empty();
    }

    /** Whose token it is. */
    public Optional<User> recognise(String token) {
        return token.equals(adminToken) ? Optional.of(User.ADMIN) : tokens.read(token);
    }

    private User authenticate(ApiRequest request) {
        String header = request.header("authorization").orElse("");
        if (header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            Optional<User> user = recognise(header.substring(BEARER.length()).strip());
            if (user.isPresent()) {
                return user.get();
            }
            if (authenticates) {
                throw ApiException.of(401, "Unauthorized", "Unauthorized", Json.object(), false);
            }
        }
        return request.identity().map(Gate::named).orElse(authenticates ? User.ANONYMOUS : User.ADMIN);
    }

    private static User named(ApiRequest.Identity identity) {
        List<String> groups = new ArrayList<>(identity.groups());
        groups.add(User.AUTHENTICATED);
        return new User(identity.user(), "", groups, Map.of());
    }

    private User impersonated(ApiRequest request, User user) {
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
        List<String> groups = new ArrayList<>();
        for (String group : request.header("impersonate-group").orElse("").split(",", -1)) {
            if (!group.isBlank()) {
                check(user, "groups", "", group.strip());
                groups.add(group.strip());
            }
        }
        if (groups.isEmpty() && account.matches()) {
            groups.addAll(List.of("system:serviceaccounts", "system:serviceaccounts:" + account.group(1)));
        }
        if (!groups.contains(User.AUTHENTICATED)) {
            groups.add(name.equals("system:anonymous") ? "system:unauthenticated" : User.AUTHENTICATED);
        }
        return new User(name, request.header("impersonate-uid").orElse(""), groups, extra(request));
    }

    private static Map<String, List<String>> extra(ApiRequest request) {
        String prefix = "impersonate-extra-";
        Map<String, List<String>> extra = new HashMap<>();
        request.headers().forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                extra.put(name.substring(prefix.length()).toLowerCase(Locale.ROOT), List.of(value));
            }
        });
        return extra;
    }

    private void check(User user, String resource, String namespace, String name) {
        Attributes attributes = new Attributes("impersonate", "", resource, "", namespace, name, "");
        if (!allows(user, attributes)) {
            throw refused(user, attributes);
        }
    }

    private static ApiException refused(User user, Attributes attributes) {
        if (!attributes.isResource()) {
            return ApiException.of(
                    403,
                    "Forbidden",
                    "forbidden: User \"" + user.name() + "\" cannot " + attributes.verb() + " path \""
                            + attributes.path() + "\"",
                    Json.object(),
                    true);
        }
        String where = attributes.namespace().isEmpty()
                ? "at the cluster scope"
                : "in the namespace \"" + attributes.namespace() + "\"";
        return ApiException.forbidden(
                new Subject(attributes.group(), attributes.resource(), attributes.name()),
                "User \"" + user.name() + "\" cannot " + attributes.verb() + " resource \""
                        + attributes.qualifiedResource() + "\" in API group \"" + attributes.group() + "\" " + where,
                List.of(),
                "");
    }
}
