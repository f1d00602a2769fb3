package dev.kopf4j.devcluster.authentication;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the user of a request by its bearer token or by the certificate of the client. Thread-safe. */
public final class RequestAuthenticator {
    private static final String BEARER = "Bearer ";
    private static final List<String> OWN_AUDIENCES = List.of(ServiceAccountTokens.ISSUER);
    /** What says whether the server lives, which whoever starts it asks without credentials. */
    private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

    private final boolean required;
    private final boolean anonymous;
    private final String adminToken;
    private final ServiceAccountTokens serviceAccountTokens;

    /**
     * An authenticator.
     *
     * @param required whether credentials are needed; if not, every user is the administrator
     * @param anonymous whether requests without credentials have a user, too, if credentials are needed
     *     ({@code --anonymous-auth} of kube-apiserver); if not, they get 401, unless they ask how the server is
     * @param adminToken the bearer token of the administrator
     */
    public RequestAuthenticator(
            boolean required, boolean anonymous, String adminToken, ServiceAccountTokens serviceAccountTokens) {
        this.required = required;
        this.anonymous = anonymous;
        this.adminToken = adminToken;
        this.serviceAccountTokens = serviceAccountTokens;
    }

    /** The user of a request; 401 for an unknown token if credentials are needed. */
    public UserInfo authenticate(ApiRequest request) {
        String header = request.header("authorization").orElse("");
        if (header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            Optional<UserInfo> user =
                    authenticateToken(header.substring(BEARER.length()).strip());
            if (user.isPresent()) {
                return user.get();
            }
            if (required) {
                throw unauthorized();
            }
        }
        return request.identity().map(RequestAuthenticator::named).orElseGet(() -> withoutCredentials(request));
    }

    private UserInfo withoutCredentials(ApiRequest request) {
        if (!required) {
            return UserInfo.ADMIN;
        }
        if (!anonymous && !HEALTH.contains(request.path())) {
            throw unauthorized();
        }
        return UserInfo.ANONYMOUS;
    }

    private static ApiException unauthorized() {
        return ApiException.of(401, "Unauthorized", "Unauthorized", Json.object(), false);
    }

    private Optional<UserInfo> authenticateToken(String token) {
        return authenticateToken(token, OWN_AUDIENCES).map(ServiceAccountTokens.Holder::user);
    }

    /**
     * Who has a token; empty if the token is not valid for any of the audiences.
     *
     * @param audiences none for this server itself
     */
    public Optional<ServiceAccountTokens.Holder> authenticateToken(String token, List<String> audiences) {
        List<String> wanted = audiences.isEmpty() ? OWN_AUDIENCES : audiences;
        return token.equals(adminToken)
                ? Optional.of(new ServiceAccountTokens.Holder(UserInfo.ADMIN, wanted))
                : serviceAccountTokens.authenticate(token, wanted);
    }

    private static UserInfo named(ApiRequest.Identity identity) {
        List<String> groups = new ArrayList<>(identity.groups());
        groups.add(UserInfo.AUTHENTICATED);
        return new UserInfo(identity.user(), "", groups, Map.of());
    }
}
