package dev.kopf4j.devcluster.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate authority made for one run, and the server's certificate under it. */
final class Authority {
    private static final byte[] ECDSA_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
    private static final String AUTHORITY = "devcluster-ca";
    private static final String SERVER = "kube-apiserver";
    private static final Duration VALID = Duration.ofDays(365);
    private final X509Certificate certificate;
    private final SSLContext server;

    private Authority(X509Certificate certificate, SSLContext server) {
        this.certificate = certificate;
        this.server = server;
    }

    /** A new authority with a server certificate for loopback and the names of the API service. */
    static Authority make(Instant now) throws IOException {
        try {
            KeyPair authority = keys();
            KeyPair server = keys();
            byte[] root =
                    sign(AUTHORITY, AUTHORITY, authority.getPublic(), authority.getPrivate(), now, caExtensions());
            byte[] leaf = sign(AUTHORITY, SERVER, server.getPublic(), authority.getPrivate(), now, serverExtensions());
            X509Certificate rootCertificate = parse(root);
            return new Authority(rootCertificate, context(server.getPrivate(), parse(leaf), rootCertificate));
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate of the dev cluster cannot be made", e);
        }
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static byte[] sign(
            String issuer, String subject, PublicKey key, PrivateKey signer, Instant now, byte[] extensions)
            throws GeneralSecurityException {
        byte[] content = Der.sequence(
                Der.tagged(0xa0, Der.integer(BigInteger.TWO)),
                Der.integer(new BigInteger(63, new SecureRandom()).add(BigInteger.ONE)),
                ECDSA_SHA256,
                name(issuer),
                Der.sequence(Der.time(now.minus(Duration.ofHours(1))), Der.time(now.plus(VALID))),
                name(subject),
                key.getEncoded(),
                Der.tagged(0xa3, extensions));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(signer);
        signature.update(content);
        return Der.sequence(content, ECDSA_SHA256, Der.bits(0, signature.sign()));
    }

    private static byte[] name(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.oid("2.5.4.3"), Der.utf8(commonName))));
    }

    private static byte[] caExtensions() {
        return Der.sequence(
                extension("2.5.29.19", Der.sequence(Der.bool(true))),
                extension("2.5.29.15", Der.bits(1, new byte[] {0x06})));
    }

    private static byte[] serverExtensions() {
        byte[] names = Der.sequence(
                dns("localhost"),
                dns("kubernetes"),
                dns("kubernetes.default"),
                dns("kubernetes.default.svc"),
                Der.tagged(0x87, new byte[] {127, 0, 0, 1}),
                Der.tagged(0x87, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
        return Der.sequence(
                extension("2.5.29.19", Der.sequence()),
                extension("2.5.29.15", Der.bits(7, new byte[] {(byte) 0x80})),
                extension("2.5.29.37", Der.sequence(Der.oid("1.3.6.1.5.5.7.3.1"))),
                Der.sequence(Der.oid("2.5.29.17"), Der.octets(names)));
    }

    private static byte[] dns(String name) {
        return Der.tagged(0x82, name.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] extension(String oid, byte[] value) {
        return Der.sequence(Der.oid(oid), Der.bool(true), Der.octets(value));
    }

    private static X509Certificate parse(byte[] der) throws GeneralSecurityException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
    }

    private static SSLContext context(PrivateKey key, X509Certificate leaf, X509Certificate root)
            throws GeneralSecurityException, IOException {
        char[] password = new char[0];
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(SERVER, key, password, new Certificate[] {leaf, root});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /** What the server speaks TLS with. */
    SSLContext serverContext() {
        return server;
    }

    /** The authority's certificate for clients. */
    String pem() throws IOException {
        try {
            String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
            return "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate of the dev cluster cannot be written", e);
        }
    }
}
