package dev.kopf4j.certificate;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/**
 * A certificate before it is signed. Immutable. See RFC 5280 for the structure, RFC 5758 for the signature.
 *
 * @param subject whose it is
 * @param key of the subject
 * @param now when it begins to be valid; an hour earlier, as clocks differ
 * @param until when it ends
 * @param extensions what else it says
 */
record CertificateForm(X500Principal subject, PublicKey key, Instant now, Instant until, List<byte[]> extensions) {
    /** Clocks of other machines are late. */
    static final Duration CLOCK_SKEW = Duration.ofHours(1);

    private static final int SERIAL_BITS = 127;

    /** The curves of keys, which all API servers accept, and for which they are quicker than with RSA. */
    enum Curve {
        P_256("secp256r1", "SHA256withECDSA", "1.2.840.10045.4.3.2"),
        P_384("secp384r1", "SHA384withECDSA", "1.2.840.10045.4.3.3");

        private final String parameters;
        private final String signature;
        private final String identifier; // of the signature

        Curve(String parameters, String signature, String identifier) {
            this.parameters = parameters;
            this.signature = signature;
            this.identifier = identifier;
        }

        static Curve of(PrivateKey key) {
            return key instanceof ECKey curved && curved.getParams().getOrder().bitLength() > 256 ? P_384 : P_256;
        }

        KeyPair newKeys() throws GeneralSecurityException {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(parameters));
            return generator.generateKeyPair();
        }
    }

    /** The certificate of an authority, signed by itself. */
    X509Certificate signedByItself(PrivateKey own) throws GeneralSecurityException {
        return signed(subject.getEncoded(), own);
    }

    /** The certificate, signed by the authority that has this certificate and key. */
    X509Certificate signedBy(X509Certificate issuer, PrivateKey issuerKey) throws GeneralSecurityException {
        return signed(issuer.getSubjectX500Principal().getEncoded(), issuerKey);
    }

    private X509Certificate signed(byte[] issuer, PrivateKey issuerKey) throws GeneralSecurityException {
        Curve curve = Curve.of(issuerKey);
        byte[] algorithm = DerWriter.sequence(DerWriter.identifier(curve.identifier));
        byte[] content = content(issuer, algorithm);
        Signature signature = Signature.getInstance(curve.signature);
        signature.initSign(issuerKey);
        signature.update(content);
        byte[] der = DerWriter.sequence(content, algorithm, DerWriter.bits(0, signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
    }

    private byte[] content(byte[] issuer, byte[] signature) {
        return DerWriter.sequence(
                DerWriter.element(0xa0, DerWriter.integer(BigInteger.TWO)), // version 3
                DerWriter.integer(new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE)),
                signature,
                issuer,
                DerWriter.sequence(DerWriter.time(now.minus(CLOCK_SKEW)), DerWriter.time(until)),
                subject.getEncoded(),
                key.getEncoded(),
                DerWriter.element(0xa3, DerWriter.sequence(extensions)));
    }

    /**
     * A name that consists of organizations (2.5.4.10), which are the groups of clients, and a common name (2.5.4.3).
     */
    static X500Principal name(String commonName, List<String> organizations) {
        List<byte[]> parts = new ArrayList<>();
        organizations.forEach(each -> parts.add(attribute("2.5.4.10", each)));
        parts.add(attribute("2.5.4.3", commonName));
        return new X500Principal(DerWriter.sequence(parts));
    }

    private static byte[] attribute(String type, String value) {
        return DerWriter.set(DerWriter.sequence(DerWriter.identifier(type), DerWriter.text(value)));
    }

    /** What certificates say beside names and keys: RFC 5280, 4.2.1. Pure. */
    static final class Extension {
        private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
        private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

        private Extension() {}

        /** It may sign others. */
        static byte[] authority() {
            return critical("2.5.29.19", DerWriter.sequence(DerWriter.yes()));
        }

        /** It may not sign others. */
        static byte[] noAuthority() {
            return critical("2.5.29.19", DerWriter.sequence());
        }

        /** For signatures of connections, keys, certificates and revocations: bits 0, 2, 5, 6. */
        static byte[] allUsages() {
            return critical("2.5.29.15", DerWriter.bits(1, new byte[] {(byte) 0b1010_0110}));
        }

        /** For signatures of certificates and revocations: bits 5 and 6. */
        static byte[] signing() {
            return critical("2.5.29.15", DerWriter.bits(1, new byte[] {(byte) 0b0000_0110}));
        }

        /** For signatures of connections: bit 0. */
        static byte[] connecting() {
            return critical("2.5.29.15", DerWriter.bits(7, new byte[] {(byte) 0b1000_0000}));
        }

        /** For signatures of connections, and for keys: bits 0 and 2. */
        static byte[] connectingAndKeys() {
            return critical("2.5.29.15", DerWriter.bits(5, new byte[] {(byte) 0b1010_0000}));
        }

        /** Servers show it, and clients may. */
        static byte[] serversAndClients() {
            return extension(
                    "2.5.29.37",
                    DerWriter.sequence(DerWriter.identifier(SERVER_AUTH), DerWriter.identifier(CLIENT_AUTH)));
        }

        /** Only servers show it. */
        static byte[] servers() {
            return extension("2.5.29.37", DerWriter.sequence(DerWriter.identifier(SERVER_AUTH)));
        }

        /** Only clients show it. */
        static byte[] clients() {
            return extension("2.5.29.37", DerWriter.sequence(DerWriter.identifier(CLIENT_AUTH)));
        }

        /** Tells its key from others. */
        static byte[] keyId(PublicKey key) throws GeneralSecurityException {
            return extension("2.5.29.14", DerWriter.octets(digest(key)));
        }

        /** Tells the key of its authority from others. */
        static byte[] authorityKeyId(PublicKey key) throws GeneralSecurityException {
            return extension("2.5.29.35", DerWriter.sequence(DerWriter.element(0x80, digest(key))));
        }

        /** All names of a server. */
        static byte[] alternativeNames(ServerNames names) {
            List<byte[]> all = new ArrayList<>();
            names.hosts().forEach(host -> all.add(DerWriter.element(0x82, host.getBytes(StandardCharsets.US_ASCII))));
            names.addresses().forEach(address -> all.add(DerWriter.element(0x87, address.getAddress())));
            return extension("2.5.29.17", DerWriter.sequence(all));
        }

        private static byte[] digest(PublicKey key) throws GeneralSecurityException {
            return MessageDigest.getInstance("SHA-1").digest(key.getEncoded());
        }

        private static byte[] critical(String id, byte[] value) {
            return DerWriter.sequence(DerWriter.identifier(id), DerWriter.yes(), DerWriter.octets(value));
        }

        private static byte[] extension(String id, byte[] value) {
            return DerWriter.sequence(DerWriter.identifier(id), DerWriter.octets(value));
        }
    }
}
