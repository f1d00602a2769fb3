package dev.kopf4j.client.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/** Reads certificates and private keys from PEM text. */
final class PemReader {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----", Pattern.DOTALL);
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private PemReader() {}

    private record Block(String type, String content) {
        byte[] der() {
            return Base64.getMimeDecoder().decode(content);
        }

        boolean isEncrypted() {
            return type.startsWith("ENCRYPTED") || content.contains("Proc-Type");
        }
    }

    /** Returns all certificates of the text, in their order; at least one. */
    static List<X509Certificate> certificates(String what, String text) throws GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> certificates = new ArrayList<>();
        for (Block block : blocks(text)) {
            if (block.type().endsWith("CERTIFICATE")) {
                certificates.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.der())));
            }
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("the " + what + " holds no certificate in PEM form");
        }
        return certificates;
    }

    /** Returns the first private key of the text. */
    static PrivateKey privateKey(String what, String text) throws GeneralSecurityException {
        return privateKey(what, text, null);
    }

    /**
     * Returns the first private key of the text.
     *
     * @param password opens it if it is encrypted; null for none
     */
    static PrivateKey privateKey(String what, String text, @Nullable String password) throws GeneralSecurityException {
        for (Block block : blocks(text)) {
            if (block.type().equals("ENCRYPTED PRIVATE KEY") && password != null) {
                return anyKey(what, EncryptedKey.opened(what, block.der(), password));
            }
            if (block.type().endsWith("PRIVATE KEY")) {
                return privateKey(what, block);
            }
        }
        throw new IllegalArgumentException("the " + what + " holds no private key in PEM form");
    }

    private static PrivateKey privateKey(String what, Block block) throws GeneralSecurityException {
        if (block.isEncrypted()) {
            throw new IllegalArgumentException(
                    "the " + what + " is encrypted: decrypt it first, for example with openssl");
        }
        return switch (block.type()) {
            case "RSA PRIVATE KEY" -> key("RSA", Pkcs8Encoder.rsaAsPkcs8(block.der()));
            case "EC PRIVATE KEY" -> key("EC", Pkcs8Encoder.ecAsPkcs8(block.der()));
            case "PRIVATE KEY" -> anyKey(what, block.der());
            default -> throw new IllegalArgumentException("the " + what + " is of an unknown kind: " + block.type());
        };
    }

    private static PrivateKey anyKey(String what, byte[] pkcs8) throws GeneralSecurityException {
        GeneralSecurityException last = new GeneralSecurityException("no algorithm");
        for (String algorithm : ALGORITHMS) {
            try {
                return key(algorithm, pkcs8);
            } catch (GeneralSecurityException e) {
                last = e;
            }
        }
        throw new GeneralSecurityException("the " + what + " is not a key of " + ALGORITHMS, last);
    }

    private static PrivateKey key(String algorithm, byte[] pkcs8) throws GeneralSecurityException {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    }

    private static List<Block> blocks(String text) {
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            blocks.add(new Block(matcher.group(1), matcher.group(2)));
        }
        return blocks;
    }

    /** Opens keys in PKCS #8 that are encrypted with a password (RFC 5958, RFC 8018). */
    private static final class EncryptedKey {
        private EncryptedKey() {}

        /**
         * Returns the plain key in PKCS #8.
         *
         * @throws GeneralSecurityException if the password is not the right one, or the JDK does not know the
         *     encryption
         */
        static byte[] opened(String what, byte[] der, String password) throws GeneralSecurityException {
            try {
                EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(der);
                String algorithm = algorithm(info);
                Cipher cipher = Cipher.getInstance(algorithm);
                cipher.init(
                        Cipher.DECRYPT_MODE,
                        SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password.toCharArray())),
                        info.getAlgParameters());
                return info.getKeySpec(cipher).getEncoded();
            } catch (GeneralSecurityException e) {
                throw new GeneralSecurityException(
                        "the " + what + " cannot be opened with the password that was given: " + e.getMessage(), e);
            } catch (IOException e) {
                throw new GeneralSecurityException("the " + what + " is damaged: " + e.getMessage(), e);
            }
        }

        /** The parameters of PBES2 know the pair of algorithms; its own name is that of the scheme only. */
        private static String algorithm(EncryptedPrivateKeyInfo info) {
            return info.getAlgName().equals("PBES2") || info.getAlgName().startsWith("1.2.840.113549.1.5.13")
                    ? info.getAlgParameters().toString()
                    : info.getAlgName();
        }
    }
}
