package dev.kopf4j.certificate;

import dev.kopf4j.text.FileProblem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Reads certificates and private keys as PEM (RFC 7468). Pure, but for the files that are read. */
public final class PemReader {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*+(?:-(?!----BEGIN)[^-]*+)*?)-----END \\1-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private PemReader() {}

    private record Block(String type, String content) {
        byte[] der(String what) {
            try {
                return Base64.getMimeDecoder().decode(content);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("the " + what + " is damaged: " + e.getMessage(), e);
            }
        }

        boolean isEncrypted() {
            return type.startsWith("ENCRYPTED") || content.contains("Proc-Type");
        }
    }

    /**
     * Reads the PEM text of a certificate or key that a credential has in a file, as text, or as base64; null if there
     * is neither a path nor data. A path wins.
     *
     * @param what what the text is, for messages
     * @throws IllegalArgumentException if the file cannot be read, or the data is neither PEM nor base64
     */
    public static @Nullable String text(String what, @Nullable String path, @Nullable String data) {
        if (path != null) {
            return read(what, Path.of(path));
        }
        return data == null || data.contains("-----BEGIN") ? data : decoded(what, data);
    }

    private static String read(String what, Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the file of the " + what + " cannot be read: " + file + ": " + FileProblem.describe(file, e), e);
        }
    }

    private static String decoded(String what, String data) {
        try {
            return new String(Base64.getMimeDecoder().decode(data), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the data of the " + what + " is neither PEM nor base64", e);
        }
    }

    /**
     * Returns all certificates of the text, in their order; at least one.
     *
     * @param what what the text is, for messages
     * @throws IllegalArgumentException if there is none, or it is no base64
     * @throws GeneralSecurityException if one is damaged
     */
    public static List<X509Certificate> certificates(String what, String text) throws GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> certificates = new ArrayList<>();
        for (Block block : blocks(text)) {
            if (block.type().endsWith("CERTIFICATE")) {
                certificates.add(certificate(what, factory, block.der(what)));
            }
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("the " + what + " holds no certificate in PEM form");
        }
        return certificates;
    }

    private static X509Certificate certificate(String what, CertificateFactory factory, byte[] der)
            throws GeneralSecurityException {
        try {
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der));
        } catch (GeneralSecurityException e) {
            throw new GeneralSecurityException("the " + what + " is damaged: " + e.getMessage(), e);
        }
    }

    /** Returns the first private key of the text. */
    public static PrivateKey privateKey(String what, String text) throws GeneralSecurityException {
        return privateKey(what, text, null);
    }

    /**
     * Returns the first private key of the text.
     *
     * @param what what the text is, for messages
     * @param password opens it if it is encrypted in PKCS #8; null for none
     * @throws IllegalArgumentException if there is none, or it is encrypted and there is no password
     */
    public static PrivateKey privateKey(String what, String text, @Nullable String password)
            throws GeneralSecurityException {
        for (Block block : blocks(text)) {
            if (block.type().equals("ENCRYPTED PRIVATE KEY") && password != null) {
                return anyKey(what, EncryptedKey.opened(what, block.der(what), password));
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
            case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> olderKey(what, block);
            case "PRIVATE KEY" -> anyKey(what, block.der(what));
            default -> throw new IllegalArgumentException("the " + what + " is of an unknown kind: " + block.type());
        };
    }

    private static PrivateKey olderKey(String what, Block block) throws GeneralSecurityException {
        byte[] der = block.der(what);
        try {
            return block.type().startsWith("RSA")
                    ? key("RSA", Pkcs8Encoder.rsaAsPkcs8(der))
                    : key("EC", Pkcs8Encoder.ecAsPkcs8(der));
        } catch (GeneralSecurityException e) {
            throw new GeneralSecurityException("the " + what + " is damaged: " + e.getMessage(), e);
        }
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

    /**
     * Wraps the older forms of private keys into PKCS #8, the only one that the JDK reads.
     *
     * <p>RFC 5958: {@code SEQUENCE { version 0, SEQUENCE { algorithm, parameters }, OCTET STRING key }}.
     */
    private static final class Pkcs8Encoder {
        private static final int SEQUENCE = 0x30;
        private static final int EC_PARAMETERS = 0xA0;
        private static final byte[] RSA_ENCRYPTION = DerWriter.identifier("1.2.840.113549.1.1.1");
        private static final byte[] EC_PUBLIC_KEY = DerWriter.identifier("1.2.840.10045.2.1");
        private static final byte[] NULL = DerWriter.element(0x05);

        private Pkcs8Encoder() {}

        /** From PKCS #1 (RFC 8017): {@code BEGIN RSA PRIVATE KEY}. */
        static byte[] rsaAsPkcs8(byte[] pkcs1) {
            return pkcs8(pkcs1, RSA_ENCRYPTION, NULL);
        }

        /** From SEC 1 (RFC 5915): {@code BEGIN EC PRIVATE KEY}, whose curve moves to the algorithm. */
        static byte[] ecAsPkcs8(byte[] sec1) throws GeneralSecurityException {
            return pkcs8(sec1, EC_PUBLIC_KEY, curve(sec1));
        }

        private static byte[] pkcs8(byte[] key, byte[]... algorithm) {
            return DerWriter.sequence(
                    DerWriter.integer(BigInteger.ZERO), DerWriter.sequence(algorithm), DerWriter.octets(key));
        }

        /** {@code SEQUENCE { version, OCTET STRING, [0] curve, [1] public key }}. */
        private static byte[] curve(byte[] sec1) throws GeneralSecurityException {
            ByteBuffer inside = ByteBuffer.wrap(content(ByteBuffer.wrap(sec1), SEQUENCE));
            while (inside.hasRemaining()) {
                int tag = inside.get(inside.position()) & 0xFF;
                byte[] value = content(inside, tag);
                if (tag == EC_PARAMETERS) {
                    return value;
                }
            }
            throw new GeneralSecurityException("it does not name its curve");
        }

        private static byte[] content(ByteBuffer der, int expectedTag) throws GeneralSecurityException {
            try {
                return read(der, expectedTag);
            } catch (BufferUnderflowException e) {
                throw new GeneralSecurityException("it is no key of elliptic curves", e);
            }
        }

        private static byte[] read(ByteBuffer der, int expectedTag) throws GeneralSecurityException {
            int tag = der.get() & 0xFF;
            int length = der.get() & 0xFF;
            if (length > 0x80) {
                int count = length & 0x7F;
                length = 0;
                for (int i = 0; i < count; i++) {
                    length = (length << 8) | (der.get() & 0xFF);
                }
            }
            if (tag != expectedTag || length < 0 || length > der.remaining()) {
                throw new GeneralSecurityException("it is no key of elliptic curves");
            }
            byte[] value = new byte[length];
            der.get(value);
            return value;
        }
    }
}
