package dev.kopf4j.certificate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Writes certificates and keys as PEM (RFC 7468). Pure, but for the salt of encrypted keys. */
public final class PemWriter {
    /** PBES2 of RFC 8018, by the JDK's name; openssl reads it, too. */
    private static final String ENCRYPTION = "PBEWithHmacSHA256AndAES_256";

    private static final int LINE = 64;

    private PemWriter() {}

    /** A certificate. */
    public static String certificate(X509Certificate certificate) {
        try {
            return block("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate cannot be written: " + e.getMessage(), e);
        }
    }

    /** A private key in PKCS #8. */
    public static String key(PrivateKey key) {
        return block("PRIVATE KEY", key.getEncoded());
    }

    /** A private key in PKCS #8 that only the password opens. */
    public static String encryptedKey(PrivateKey key, String password) {
        try {
            PBEKeySpec secret = new PBEKeySpec(password.toCharArray());
            Cipher cipher = Cipher.getInstance(ENCRYPTION);
            cipher.init(
                    Cipher.ENCRYPT_MODE,
                    SecretKeyFactory.getInstance(ENCRYPTION).generateSecret(secret));
            byte[] hidden = cipher.doFinal(key.getEncoded());
            // The scheme has a number, by which it is written; the pair of algorithms is in its parameters.
            AlgorithmParameters scheme = AlgorithmParameters.getInstance("PBES2");
            scheme.init(cipher.getParameters().getEncoded());
            return block("ENCRYPTED PRIVATE KEY", new EncryptedPrivateKeyInfo(scheme, hidden).getEncoded());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("the key cannot be encrypted with this password: " + e.getMessage(), e);
        }
    }

    private static String block(String type, byte[] der) {
        String lines = Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        return "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n";
    }
}
