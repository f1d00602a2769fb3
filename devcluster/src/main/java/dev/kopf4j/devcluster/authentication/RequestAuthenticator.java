package dev.kopf4j.devcluster.authentication;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the user of a request by its bearer token or by the certificate of the client. Thread-safe. */
public final class RequestAuthenticator {
    private static final String BEARER = "Bearer ";
    private static final List<String> OWN_AUDIENCES = List.of(ServiceAccountTokens.ISSUER);
    private final boolean required;
    private final String adminToken;
    private final ServiceAccountTokens serviceAccountTokens;

    /**
     * An authenticator.
     *
     * @param required whether credentials are needed; if not, every user is the administrator
     * @param adminToken the bearer token of the administrator
     */
    public RequestAuthenticator(boolean required, String adminToken, ServiceAccountTokens serviceAccountTokens) {
        this.required = required;
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
                throw ApiException.of(401, "Unauthorized", "Unauthorized", Json.object(), false);
            }
        }
        return request.identity()
                .map(RequestAuthenticator::named)
                .orElse(required ? UserInfo.ANONYMOUS : UserInfo.ADMIN);
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
