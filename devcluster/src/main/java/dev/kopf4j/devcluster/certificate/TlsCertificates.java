package dev.kopf4j.devcluster.certificate;

import dev.kopf4j.devcluster.file.SecretFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
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
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.spec.PBEParameterSpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Makes the certificate authority and the server's certificate in a thread of its own, since that takes a while.
 * Thread-safe.
 */
public final class TlsCertificates {
    private static final AtomicReference<Optional<TlsCertificates>> PREPARED = new AtomicReference<>(Optional.empty());
    private final FutureTask<Made> task;
    private final Thread thread;

    private record Made(CertificateAuthority certificateAuthority, SSLContext context) {}

    private TlsCertificates(Optional<Path> folder) {
        this.task = new FutureTask<>(() -> {
            CertificateAuthority certificateAuthority = CertificateAuthority.of(folder);
            return new Made(certificateAuthority, certificateAuthority.serverContext());
        });
        this.thread = Thread.ofVirtual().name("devcluster-certifier").start(task);
    }

    /**
     * Uses the authority that the folder keeps. Without a folder, uses a new one: the prepared one, if there is one.
     */
    public static TlsCertificates of(Optional<Path> folder) {
        return folder.isPresent()
                ? new TlsCertificates(folder)
                : PREPARED.getAndSet(Optional.empty()).orElseGet(() -> new TlsCertificates(folder));
    }

    /** Starts to make the certificates of the next server without a folder. */
    public static synchronized void prepare() {
        if (PREPARED.get().isEmpty()) {
            PREPARED.set(Optional.of(new TlsCertificates(Optional.empty())));
        }
    }

    /** The thread that makes the certificates; it ends when they are made. */
    public Thread thread() {
        return thread;
    }

    /** Waits until the certificate authority is made, and returns it. */
    public CertificateAuthority certificateAuthority() {
        return made().certificateAuthority();
    }

    /** Waits until the server's TLS context is made, and returns it. */
    public SSLContext context() {
        return made().context();
    }

    private Made made() {
        try {
            return task.get();
        } catch (ExecutionException e) {
            String reason = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
            throw new UncheckedIOException(
                    "the dev cluster cannot speak TLS: " + reason, new IOException(reason, e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the certificates are made", e);
        }
    }

    /**
     * The cluster's own certificate authority. It signs the server's certificate and certificates for clients.
     * Immutable.
     */
    public static final class CertificateAuthority {
        private static final byte[] ECDSA_SHA384 = DerEncoding.sequence(DerEncoding.oid("1.2.840.10045.4.3.3"));
        private static final String AUTHORITY = "devcluster-ca";
        private static final String SERVER = "kube-apiserver";
        private static final String COMMON_NAME = "2.5.4.3";
        private static final String ORGANIZATION = "2.5.4.10";
        private static final int SALT_BYTES = 8;
        private static final Duration VALID = Duration.ofDays(365);
        private final PrivateKey key;
        private final X509Certificate certificate;

        private CertificateAuthority(PrivateKey key, X509Certificate certificate) {
            this.key = key;
            this.certificate = certificate;
        }

        /** A new authority. */
        static CertificateAuthority make() throws IOException {
            try {
                KeyPair keys = keys();
                byte[] name = name(AUTHORITY, List.of());
                byte[] root = sign(name, name, keys.getPublic(), keys.getPrivate(), caExtensions());
                return new CertificateAuthority(keys.getPrivate(), parse(root));
            } catch (GeneralSecurityException e) {
                throw unmade(e);
            }
        }

        /** The authority that a folder keeps, which is made if it is missing; without a folder, a new one. */
        static CertificateAuthority of(Optional<Path> folder) throws IOException {
            if (folder.isEmpty()) {
                return make();
            }
            String kept = SecretFile.readOrCreate(folder.get(), "authority.pem", () -> {
                try {
                    return make().secretPem();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try {
                KeyFactory factory = KeyFactory.getInstance("EC");
                PrivateKey key =
                        factory.generatePrivate(new PKCS8EncodedKeySpec(PemEncoding.read(kept, "PRIVATE KEY")));
                return new CertificateAuthority(key, parse(PemEncoding.read(kept, "CERTIFICATE")));
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                throw new IOException(
                        "authority.pem in " + folder.get() + " is damaged; delete it to get a new one: "
                                + e.getMessage(),
                        e);
            }
        }

        private String secretPem() throws IOException {
            return pem() + PemEncoding.write("PRIVATE KEY", key.getEncoded());
        }

        private static IOException unmade(GeneralSecurityException e) {
            return new IOException("the certificate of the dev cluster cannot be made", e);
        }

        /** The TLS context of a server, with a new certificate for loopback and the names of the API service. */
        SSLContext serverContext() throws IOException {
            try {
                KeyPair server = keys();
                byte[] leaf = sign(subject(), name(SERVER, List.of()), server.getPublic(), key, serverExtensions());
                return context(server.getPrivate(), parse(leaf), certificate);
            } catch (GeneralSecurityException e) {
                throw unmade(e);
            }
        }

        /** A certificate and its key for a client, both as PEM, the certificate first. */
        public String client(String user, List<String> groups) throws IOException {
            try {
                KeyPair client = keys();
                byte[] leaf = sign(subject(), name(user, groups), client.getPublic(), key, clientExtensions());
                return PemEncoding.write("CERTIFICATE", leaf)
                        + PemEncoding.write("PRIVATE KEY", client.getPrivate().getEncoded());
            } catch (GeneralSecurityException e) {
                throw unmade(e);
            }
        }

        private byte[] subject() {
            return certificate.getSubjectX500Principal().getEncoded();
        }

        private static KeyPair keys() throws GeneralSecurityException {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            // Not the usual secp256r1: the JDK prepares a table for it, which takes longer than all else in a cold
            // start.
            generator.initialize(new ECGenParameterSpec("secp384r1"));
            return generator.generateKeyPair();
        }

        private static byte[] sign(byte[] issuer, byte[] subject, PublicKey key, PrivateKey signer, byte[] extensions)
                throws GeneralSecurityException {
            Instant now = Instant.now();
            byte[] content = DerEncoding.sequence(
                    DerEncoding.tagged(0xa0, DerEncoding.integer(BigInteger.TWO)),
                    DerEncoding.integer(new BigInteger(63, new SecureRandom()).add(BigInteger.ONE)),
                    ECDSA_SHA384,
                    issuer,
                    DerEncoding.sequence(
                            DerEncoding.time(now.minus(Duration.ofHours(1))), DerEncoding.time(now.plus(VALID))),
                    subject,
                    key.getEncoded(),
                    DerEncoding.tagged(0xa3, extensions));
            Signature signature = Signature.getInstance("SHA384withECDSA");
            signature.initSign(signer);
            signature.update(content);
            return DerEncoding.sequence(content, ECDSA_SHA384, DerEncoding.bits(0, signature.sign()));
        }

        private static byte[] name(String commonName, List<String> organizations) {
            List<byte[]> parts = new ArrayList<>();
            organizations.forEach(each -> parts.add(attribute(ORGANIZATION, each)));
            parts.add(attribute(COMMON_NAME, commonName));
            return DerEncoding.sequence(parts.toArray(new byte[0][]));
        }

        private static byte[] attribute(String oid, String value) {
            return DerEncoding.set(DerEncoding.sequence(DerEncoding.oid(oid), DerEncoding.utf8(value)));
        }

        private static byte[] clientExtensions() {
            return DerEncoding.sequence(
                    extension("2.5.29.19", DerEncoding.sequence()),
                    extension("2.5.29.15", DerEncoding.bits(7, new byte[] {(byte) 0x80})),
                    extension("2.5.29.37", DerEncoding.sequence(DerEncoding.oid("1.3.6.1.5.5.7.3.2"))));
        }

        private static byte[] caExtensions() {
            return DerEncoding.sequence(
                    extension("2.5.29.19", DerEncoding.sequence(DerEncoding.bool(true))),
                    extension("2.5.29.15", DerEncoding.bits(1, new byte[] {0x06})));
        }

        private static byte[] serverExtensions() {
            byte[] names = DerEncoding.sequence(
                    dns("localhost"),
                    dns("kubernetes"),
                    dns("kubernetes.default"),
                    dns("kubernetes.default.svc"),
                    DerEncoding.tagged(0x87, new byte[] {127, 0, 0, 1}),
                    DerEncoding.tagged(0x87, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
            return DerEncoding.sequence(
                    extension("2.5.29.19", DerEncoding.sequence()),
                    extension("2.5.29.15", DerEncoding.bits(7, new byte[] {(byte) 0x80})),
                    extension("2.5.29.37", DerEncoding.sequence(DerEncoding.oid("1.3.6.1.5.5.7.3.1"))),
                    DerEncoding.sequence(DerEncoding.oid("2.5.29.17"), DerEncoding.octets(names)));
        }

        private static byte[] dns(String name) {
            return DerEncoding.tagged(0x82, name.getBytes(StandardCharsets.US_ASCII));
        }

        private static byte[] extension(String oid, byte[] value) {
            return DerEncoding.sequence(DerEncoding.oid(oid), DerEncoding.bool(true), DerEncoding.octets(value));
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
            store.setEntry(
                    SERVER, new KeyStore.PrivateKeyEntry(key, new Certificate[] {leaf, root}), inMemoryOnly(password));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password);
            SSLContext context = SSLContext.getInstance("TLS");
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(AUTHORITY, root);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        }

        // The store never leaves this process: the usual 10,000 rounds of encryption would cost a start 100 ms for
        // nothing.
        private static KeyStore.PasswordProtection inMemoryOnly(char[] password) {
            return new KeyStore.PasswordProtection(
                    password, "PBEWithHmacSHA256AndAES_128", new PBEParameterSpec(new byte[SALT_BYTES], 1));
        }

        /** The authority's certificate for clients. */
        public String pem() throws IOException {
            try {
                return PemEncoding.write("CERTIFICATE", certificate.getEncoded());
            } catch (GeneralSecurityException e) {
                throw new IOException("the certificate of the dev cluster cannot be written", e);
            }
        }

        /** Writes the few ASN.1 structures in DER that certificates are made of. Pure. */
        static final class DerEncoding {
            private static final DateTimeFormatter TIME =
                    DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

            private DerEncoding() {}

            static byte[] tagged(int tag, byte[]... parts) {
                ByteArrayOutputStream content = new ByteArrayOutputStream();
                for (byte[] part : parts) {
                    content.writeBytes(part);
                }
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                out.write(tag);
                length(out, content.size());
                out.writeBytes(content.toByteArray());
                return out.toByteArray();
            }

            private static void length(ByteArrayOutputStream out, int length) {
                if (length < 0x80) {
                    out.write(length);
                } else {
                    byte[] bytes = BigInteger.valueOf(length).toByteArray();
                    int start = bytes[0] == 0 ? 1 : 0;
                    out.write(0x80 | (bytes.length - start));
                    out.write(bytes, start, bytes.length - start);
                }
            }

            static byte[] sequence(byte[]... parts) {
                return tagged(0x30, parts);
            }

            static byte[] set(byte[]... parts) {
                return tagged(0x31, parts);
            }

            static byte[] integer(BigInteger value) {
                return tagged(0x02, value.toByteArray());
            }

            static byte[] bool(boolean value) {
                return tagged(0x01, new byte[] {(byte) (value ? 0xff : 0)});
            }

            static byte[] utf8(String text) {
                return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
            }

            static byte[] octets(byte[] bytes) {
                return tagged(0x04, bytes);
            }

            /** A bit string whose last byte has this number of unused bits. */
            static byte[] bits(int unused, byte[] bytes) {
                return tagged(0x03, new byte[] {(byte) unused}, bytes);
            }

            static byte[] time(Instant instant) {
                return tagged(0x18, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
            }

            /** An object identifier such as 2.5.4.3. */
            static byte[] oid(String dotted) {
                String[] parts = dotted.split("\\.", -1);
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                out.write(Integer.parseInt(parts[0]) * 40 + Integer.parseInt(parts[1]));
                for (int index = 2; index < parts.length; index++) {
                    base128(out, Long.parseLong(parts[index]));
                }
                return tagged(0x06, out.toByteArray());
            }

            private static void base128(ByteArrayOutputStream out, long value) {
                int shift = 0;
                while (value >> (shift + 7) > 0) {
                    shift += 7;
                }
                for (; shift >= 0; shift -= 7) {
                    out.write((int) ((value >> shift) & 0x7f) | (shift > 0 ? 0x80 : 0));
                }
            }
        }

        /** Keys and certificates as text. Pure. */
        public static final class PemEncoding {
            private PemEncoding() {}

            static String write(String type, byte[] der) {
                String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
                return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
            }

            /** The first block of a type; {@link IllegalArgumentException} if there is none. */
            public static byte[] read(String text, String type) {
                String begin = "-----BEGIN " + type + "-----";
                int start = text.indexOf(begin);
                int end = text.indexOf("-----END " + type + "-----");
                if (start < 0 || end < start) {
                    throw new IllegalArgumentException("it has no " + type);
                }
                return Base64.getMimeDecoder().decode(text.substring(start + begin.length(), end));
            }
        }
    }
}
