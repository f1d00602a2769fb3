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
import java.util.Arrays;
import java.util.Base64;
import tools.jackson.databind.node.ObjectNode;

/**
 * The key pair that signs tokens (RS256, RFC 7518). The same secret gives the same pair, so that tokens stay valid for
 * as long as the data of a cluster. Thread-safe.
 */
final class SigningKey {
    private static final int PRIME_BYTES = 128;
    private static final String ALGORITHM = "SHA256withRSA";
    private final BigInteger modulus;
    private final PrivateKey privateKey;
    private final PublicKey publicKey;
    private final String id;

    SigningKey(byte[] secret) {
        BigInteger exponent = BigInteger.valueOf(65537);
        BigInteger first = prime(secret, 1, exponent);
        BigInteger second = prime(secret, 2, exponent);
        modulus = first.multiply(second);
        BigInteger order = first.subtract(BigInteger.ONE).multiply(second.subtract(BigInteger.ONE));
        try {
            KeyFactory factory = KeyFactory.getInstance("RSA");
            privateKey = factory.generatePrivate(new RSAPrivateKeySpec(modulus, exponent.modInverse(order)));
            publicKey = factory.generatePublic(new RSAPublicKeySpec(modulus, exponent));
            id = base64(MessageDigest.getInstance("SHA-256").digest(publicKey.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("RSA is missing in this JDK", e);
        }
    }

    /** The first fitting prime after the number that follows from the secret; two of them make 2048 bits. */
    private static BigInteger prime(byte[] secret, int number, BigInteger exponent) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int block = 0; bytes.size() < PRIME_BYTES; block++) {
            bytes.writeBytes(hash(secret, number, block));
        }
        byte[] start = Arrays.copyOf(bytes.toByteArray(), PRIME_BYTES);
        start[0] |= (byte) 0xC0;
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
