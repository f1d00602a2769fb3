package dev.kopf4j.devcluster.authentication;

import dev.kopf4j.devcluster.json.Json;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.RSAPrivateKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes and reads tokens of service accounts: signed web tokens (JWT), for audiences, and maybe bound to an object. See
 * {@code pkg/serviceaccount/claims.go} and {@code pkg/serviceaccount/jwt.go}, v1.33. Thread-safe.
 */
public final class ServiceAccountTokens {
    /** Who issues the tokens, and the audience that this server is. */
    public static final String ISSUER = "https://kubernetes.default.svc.cluster.local";

    /** Who issues the tokens of Secrets. */
    private static final String SECRET_ISSUER = "kubernetes/serviceaccount";

    private static final String SECRET_CLAIM = "kubernetes.io/serviceaccount/";

    /** What tokens may be bound to: the names of the claims, and the resources. */
    private static final Map<String, String> BOUND = Map.of("node", "nodes", "pod", "pods", "secret", "secrets");

    private final Supplier<SigningKey> key;
    private final VerifiedTokens verified = new VerifiedTokens();
    private final InstantSource clock;
    private final ObjectLookup objects;

    /** Which objects there are. */
    public interface ObjectLookup {
        /**
         * Whether this very object is there, and not another one of its name.
         *
         * @param plural a resource of the core group
         * @param namespace empty for objects of the cluster
         */
        boolean exists(String plural, String namespace, String name, String uid);

        /** Whether a Secret is there, and has that token. */
        boolean hasToken(String namespace, String secret, String token);
    }

    /**
     * What a token says.
     *
     * @param audiences who is to accept it
     * @param bound the claims about the object that it is bound to, by {@code pod}, {@code secret} or {@code node}
     */
    public record Grant(
            String namespace, String name, String uid, List<String> audiences, Map<String, ObjectNode> bound) {
        /** Makes the list and the map unmodifiable. */
        public Grant {
            audiences = List.copyOf(audiences);
            bound = Map.copyOf(bound);
        }
    }

    /** Who has a token, and which of the wanted audiences it is for. */
    public record Holder(UserInfo user, List<String> audiences) {
        /** Makes the list unmodifiable. */
        public Holder {
            audiences = List.copyOf(audiences);
        }
    }

    /** Signs tokens with a key that follows from a secret. */
    public ServiceAccountTokens(byte[] secret, InstantSource clock, ObjectLookup objects) {
        this.key = new LazyKey(secret.clone());
        this.clock = clock;
        this.objects = objects;
    }

    /**
     * A token for a service account.
     *
     * @param id what tells it from all others
     */
    public String issue(Grant grant, String id, long seconds) {
        long now = clock.instant().getEpochSecond();
        ObjectNode claims = Json.object();
        claims.set("aud", Json.array(grant.audiences()));
        claims.put("exp", now + seconds).put("iat", now).put("iss", ISSUER).put("jti", id);
        ObjectNode place = claims.putObject("kubernetes.io").put("namespace", grant.namespace());
        grant.bound().forEach(place::set);
        place.putObject("serviceaccount").put("name", grant.name()).put("uid", grant.uid());
        claims.put("nbf", now).put("sub", "system:serviceaccount:" + grant.namespace() + ":" + grant.name());
        return key.get().sign(claims);
    }

    /**
     * A token without an end, for a Secret: it holds as long as the Secret has it and the account is there. See
     * {@code pkg/serviceaccount/legacy.go}, v1.33.
     */
    public String issueForSecret(String namespace, String secret, String account, String uid) {
        ObjectNode claims = Json.object().put("iss", SECRET_ISSUER);
        claims.put(SECRET_CLAIM + "namespace", namespace).put(SECRET_CLAIM + "secret.name", secret);
        claims.put(SECRET_CLAIM + "service-account.name", account).put(SECRET_CLAIM + "service-account.uid", uid);
        claims.put("sub", "system:serviceaccount:" + namespace + ":" + account);
        return key.get().sign(claims);
    }

    /** The document that tells where the keys are (OpenID Connect Discovery 1.0). */
    public ObjectNode discovery(String keysUrl) {
        ObjectNode document = Json.object().put("issuer", ISSUER).put("jwks_uri", keysUrl);
        document.set("response_types_supported", Json.array(List.of("id_token")));
        document.set("subject_types_supported", Json.array(List.of("public")));
        document.set("id_token_signing_alg_values_supported", Json.array(List.of("RS256")));
        return document;
    }

    /** The public keys of tokens. */
    public ObjectNode keys() {
        ObjectNode document = Json.object();
        document.putArray("keys").add(key.get().published());
        return document;
    }

    /**
     * Who has a token; empty if another server made it, it has expired, its account or the object that it is bound to
     * is gone, or it is for none of the audiences.
     */
    public Optional<Holder> authenticate(String token, Collection<String> audiences) {
        int dot = token.lastIndexOf('.');
        int first = token.indexOf('.');
        if (first < 0 || first == dot) {
            return Optional.empty();
        }
        boolean known = verified.contains(token);
        if (!known && !key.get().verifies(token.substring(0, dot), token.substring(dot + 1))) {
            return Optional.empty();
        }
        verified.add(token);
        try {
            JsonNode claims = Json.parse(Base64.getUrlDecoder().decode(token.substring(first + 1, dot)));
            if (Json.string(claims, "iss").equals(SECRET_ISSUER)) {
                return ofSecret(claims, token, audiences);
            }
            if (claims.path("exp").longValue(0) < clock.instant().getEpochSecond() || !isAlive(claims)) {
                return Optional.empty();
            }
            List<String> accepted = Json.items(claims, "aud")
                    .map(JsonNode::asString)
                    .filter(audiences::contains)
                    .toList();
            return accepted.isEmpty() ? Optional.empty() : Optional.of(new Holder(user(claims), accepted));
        } catch (JacksonException | IllegalArgumentException e) {
            return Optional.empty(); // the signature is right, so this server has written it: only a bug leads here
        }
    }

    /** A token of a Secret names no audience: it is for this server. */
    private Optional<Holder> ofSecret(JsonNode claims, String token, Collection<String> audiences) {
        String namespace = Json.string(claims, SECRET_CLAIM + "namespace");
        String name = Json.string(claims, SECRET_CLAIM + "service-account.name");
        String uid = Json.string(claims, SECRET_CLAIM + "service-account.uid");
        boolean valid = audiences.contains(ISSUER)
                && objects.exists("serviceaccounts", namespace, name, uid)
                && objects.hasToken(namespace, Json.string(claims, SECRET_CLAIM + "secret.name"), token);
        return valid
                ? Optional.of(new Holder(user(claims, namespace, uid, Map.of()), List.of(ISSUER)))
                : Optional.empty();
    }

    private boolean isAlive(JsonNode claims) {
        JsonNode place = claims.path("kubernetes.io");
        String namespace = Json.string(place, "namespace");
        boolean bound = BOUND.entrySet().stream()
                .filter(kind -> place.has(kind.getKey()))
                .allMatch(kind -> exists(
                        kind.getValue(), kind.getKey().equals("node") ? "" : namespace, place.path(kind.getKey())));
        return bound && exists("serviceaccounts", namespace, place.path("serviceaccount"));
    }

    private boolean exists(String plural, String namespace, JsonNode claim) {
        return objects.exists(plural, namespace, Json.string(claim, "name"), Json.string(claim, "uid"));
    }

    private static UserInfo user(JsonNode claims) {
        JsonNode place = claims.path("kubernetes.io");
        String namespace = Json.string(place, "namespace");
        Map<String, List<String>> extra = new LinkedHashMap<>();
        String id = Json.string(claims, "jti"); // tokens of earlier clusters have none
        if (!id.isEmpty()) {
            extra.put("authentication.kubernetes.io/credential-id", List.of("JTI=" + id));
        }
        for (String kind : List.of("pod", "node")) {
            if (place.has(kind)) {
                String prefix = "authentication.kubernetes.io/" + kind;
                extra.put(prefix + "-name", List.of(Json.string(place, kind, "name")));
                extra.put(prefix + "-uid", List.of(Json.string(place, kind, "uid")));
            }
        }
        return user(claims, namespace, Json.string(place, "serviceaccount", "uid"), extra);
    }

    private static UserInfo user(JsonNode claims, String namespace, String uid, Map<String, List<String>> extra) {
        return new UserInfo(
                Json.string(claims, "sub"),
                uid,
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, UserInfo.AUTHENTICATED),
                extra);
    }

    /**
     * Makes the key at its first use: few clusters issue tokens, and the key takes as long as the rest of the start.
     */
    private static final class LazyKey implements Supplier<SigningKey> {
        private final byte[] secret;
        private @Nullable SigningKey key;

        LazyKey(byte[] secret) {
            this.secret = secret;
        }

        @Override
        public synchronized SigningKey get() {
            SigningKey present = key == null ? new SigningKey(secret) : key;
            key = present;
            return present;
        }
    }

    /** The tokens whose signature was right lately, as clients send the same token with each request. Thread-safe. */
    private static final class VerifiedTokens {
        private static final int MOST = 1000;
        private final Set<String> tokens = Collections.synchronizedSet(Collections.newSetFromMap(new Recent()));

        boolean contains(String token) {
            return tokens.contains(token);
        }

        void add(String token) {
            tokens.add(token);
        }

        private static final class Recent extends LinkedHashMap<String, Boolean> {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > MOST;
            }
        }
    }

    /**
     * The key pair that signs tokens (RS256, RFC 7518). The same secret gives the same pair, so that tokens stay valid
     * for as long as the data of a cluster. It is of four primes (RFC 8017), which are found in a third of the time
     * that two of twice the length take; whoever verifies a token sees no difference. Thread-safe.
     */
    private static final class SigningKey {
        private static final int PRIMES = 4;
        private static final int PRIME_BYTES = 64;
        private static final String ALGORITHM = "SHA256withRSA";
        private final BigInteger modulus;
        private final PrivateKey privateKey;
        private final PublicKey publicKey;
        private final String id;

        SigningKey(byte[] secret) {
            BigInteger exponent = BigInteger.valueOf(65537);
            BigInteger product = BigInteger.ONE;
            BigInteger order = BigInteger.ONE;
            for (int number = 1; number <= PRIMES; number++) {
                BigInteger prime = prime(secret, number, exponent);
                product = product.multiply(prime);
                order = order.multiply(prime.subtract(BigInteger.ONE));
            }
            modulus = product;
            try {
                KeyFactory factory = KeyFactory.getInstance("RSA");
                privateKey = factory.generatePrivate(new RSAPrivateKeySpec(modulus, exponent.modInverse(order)));
                publicKey = factory.generatePublic(new RSAPublicKeySpec(modulus, exponent));
                id = base64(MessageDigest.getInstance("SHA-256").digest(publicKey.getEncoded()));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("RSA is missing in this JDK", e);
            }
        }

        /** The first fitting prime after the number that follows from the secret; four of them make 2048 bits. */
        private static BigInteger prime(byte[] secret, int number, BigInteger exponent) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int block = 0; bytes.size() < PRIME_BYTES; block++) {
                bytes.writeBytes(hash(secret, number, block));
            }
            byte[] start = Arrays.copyOf(bytes.toByteArray(), PRIME_BYTES);
            start[0] |= (byte) 0xE0; // more than the fourth root of a half
            BigInteger prime = new BigInteger(1, start).nextProbablePrime();
            while (!prime.subtract(BigInteger.ONE).gcd(exponent).equals(BigInteger.ONE)) {
                prime = prime.nextProbablePrime();
            }
            return prime;
        }

        private static byte[] hash(byte[] secret, int number, int block) {
            try {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                digest.update(secret);
                digest.update(ByteBuffer.allocate(2 * Integer.BYTES)
                        .putInt(number)
                        .putInt(block)
                        .flip());
                return digest.digest();
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("SHA-256 is missing in this JDK", e);
            }
        }

        private static String base64(byte[] bytes) {
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        }

        /** A signed web token with these claims. */
        String sign(ObjectNode claims) {
            ObjectNode head = Json.object().put("alg", "RS256").put("kid", id);
            String text = base64(Json.bytes(head)) + "." + base64(Json.bytes(claims));
            try {
                Signature signature = Signature.getInstance(ALGORITHM);
                signature.initSign(privateKey);
                signature.update(text.getBytes(StandardCharsets.UTF_8));
                return text + "." + base64(signature.sign());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("the key does not sign", e);
            }
        }

        /** Whether this key has signed a text. */
        boolean verifies(String text, String signed) {
            try {
                Signature signature = Signature.getInstance(ALGORITHM);
                signature.initVerify(publicKey);
                signature.update(text.getBytes(StandardCharsets.UTF_8));
                return signature.verify(Base64.getUrlDecoder().decode(signed));
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                return false; // what is no signature is not that of this key
            }
        }

        /** The public key as clients find it (RFC 7517). */
        ObjectNode published() {
            byte[] number = modulus.toByteArray();
            byte[] unsigned = number[0] == 0 ? Arrays.copyOfRange(number, 1, number.length) : number;
            return Json.object()
                    .put("use", "sig")
                    .put("kty", "RSA")
                    .put("kid", id)
                    .put("alg", "RS256")
                    .put("n", base64(unsigned))
                    .put("e", "AQAB");
        }
    }
}
