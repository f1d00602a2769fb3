package dev.kopf4j.devcluster.authentication;

import dev.kopf4j.devcluster.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes and reads tokens of service accounts: signed web tokens (JWT). Thread-safe. */
public final class ServiceAccountTokens {
    private static final String ISSUER = "https://kubernetes.default.svc.cluster.local";
    private final SecretKeySpec key;
    private final InstantSource clock;
    private final ServiceAccountLookup accounts;

    /** Which service accounts there are. */
    @FunctionalInterface
    public interface ServiceAccountLookup {
        /** Whether this very account is there, and not another one of its name. */
        boolean exists(String namespace, String name, String uid);
    }

    /** Signs tokens with a secret. */
    public ServiceAccountTokens(byte[] secret, InstantSource clock, ServiceAccountLookup accounts) {
        this.key = new SecretKeySpec(secret, "HmacSHA256");
        this.clock = clock;
        this.accounts = accounts;
    }

    /** A token for a service account. */
    public String issue(String namespace, String name, String uid, List<String> audiences, long seconds) {
        long now = clock.instant().getEpochSecond();
        ObjectNode claims = Json.object().put("iss", ISSUER);
        claims.set("aud", Json.array(audiences));
        claims.put("sub", "system:serviceaccount:" + namespace + ":" + name);
        claims.put("iat", now).put("nbf", now).put("exp", now + seconds);
        ObjectNode place = claims.putObject("kubernetes.io").put("namespace", namespace);
        place.putObject("serviceaccount").put("name", name).put("uid", uid);
        String head = encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}") + "." + encode(Json.text(claims));
        return head + "." + sign(head);
    }

    private static String encode(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private String sign(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is missing in this JDK", e);
        }
    }

    /**
     * The user of a token; empty if another server made it, it has expired, or its account was deleted
     * ({@code pkg/serviceaccount/claims.go}, v1.33).
     */
    public Optional<UserInfo> authenticate(String token) {
        int dot = token.lastIndexOf('.');
        int first = token.indexOf('.');
        if (first < 0 || first == dot || !same(sign(token.substring(0, dot)), token.substring(dot + 1))) {
            return Optional.empty();
        }
        try {
            JsonNode claims = Json.parse(Base64.getUrlDecoder().decode(token.substring(first + 1, dot)));
            if (claims.path("exp").longValue(0) < clock.instant().getEpochSecond() || !accountExists(claims)) {
                return Optional.empty();
            }
            return Optional.of(user(claims));
        } catch (JacksonException | IllegalArgumentException e) {
            return Optional.empty(); // the signature is right, so this server has written it: only a bug leads here
        }
    }

    private boolean accountExists(JsonNode claims) {
        JsonNode place = claims.path("kubernetes.io");
        return accounts.exists(
                Json.string(place, "namespace"),
                Json.string(place, "serviceaccount", "name"),
                Json.string(place, "serviceaccount", "uid"));
    }

    private static boolean same(String left, String right) {
        return MessageDigest.isEqual(left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
    }

    private static UserInfo user(JsonNode claims) {
        String namespace = Json.string(claims, "kubernetes.io", "namespace");
        return new UserInfo(
                Json.string(claims, "sub"),
                Json.string(claims, "kubernetes.io", "serviceaccount", "uid"),
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, UserInfo.AUTHENTICATED),
                Map.of());
    }
}
