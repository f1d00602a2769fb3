package dev.kopf4j.devcluster.certificate;

import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.CertificateAuthority.Issued;
import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.certificate.ServerNames;
import dev.kopf4j.certificate.ServerTls;
import dev.kopf4j.devcluster.file.SecretFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the certificate authority and the server's certificate in a thread of its own, since that takes a while.
 * Thread-safe.
 */
public final class TlsCertificates {
    private static final Logger LOG = LoggerFactory.getLogger(TlsCertificates.class);
    private static final Duration VALID = Duration.ofDays(365);

    /** As long as that of kubeadm. */
    private static final Duration AUTHORITY_VALID = Duration.ofDays(3650);

    /** A kept authority that ends sooner is replaced. */
    private static final Duration USEFUL = Duration.ofDays(30);

    private static final String AUTHORITY = "authority.pem";
    private static final List<String> NAMES =
            List.of("localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc", "127.0.0.1", "::1");

    private static final AtomicReference<Optional<TlsCertificates>> PREPARED = new AtomicReference<>(Optional.empty());
    private final FutureTask<Made> task;
    private final Thread thread;

    private record Made(CertificateAuthority authority, SSLContext context) {}

    private TlsCertificates(Optional<Path> folder, List<String> furtherNames) {
        List<String> names =
                Stream.concat(NAMES.stream(), furtherNames.stream()).toList();
        this.task = new FutureTask<>(() -> {
            CertificateAuthority authority = folder.isPresent() ? keptIn(folder.get()) : newAuthority();
            Issued server = authority.issue(ServerNames.of(names), Instant.now(), VALID);
            List<X509Certificate> authorities = List.of(authority.certificate());
            return new Made(
                    authority,
                    ServerTls.context(
                            List.of(server.certificate(), authority.certificate()), server.key(), authorities));
        });
        this.thread = Thread.ofVirtual().name("devcluster-certifier").start(task);
    }

    /**
     * Uses the authority that the folder keeps. Without a folder, uses a new one: the prepared one, if there is one and
     * no further names of the server are wanted.
     */
    public static TlsCertificates of(Optional<Path> folder, List<String> furtherNames) {
        return folder.isPresent() || !furtherNames.isEmpty()
                ? new TlsCertificates(folder, furtherNames)
                : PREPARED.getAndSet(Optional.empty()).orElseGet(() -> new TlsCertificates(folder, List.of()));
    }

    /** Starts to make the certificates of the next server without a folder. */
    public static synchronized void prepare() {
        if (PREPARED.get().isEmpty()) {
            PREPARED.set(Optional.of(new TlsCertificates(Optional.empty(), List.of())));
        }
    }

    /** The thread that makes the certificates; it ends when they are made. */
    public Thread thread() {
        return thread;
    }

    private static CertificateAuthority newAuthority() {
        return CertificateAuthority.makeInFreshJvm("devcluster-ca", Instant.now(), AUTHORITY_VALID);
    }

    /**
     * The authority that a folder keeps; a new one if it is missing, ends soon, or was made by a clock in the future.
     */
    private static CertificateAuthority keptIn(Path folder) throws IOException {
        CertificateAuthority kept = read(folder, SecretFile.readOrCreate(folder, AUTHORITY, TlsCertificates::newPem));
        Instant end = kept.end();
        Instant now = Instant.now();
        Instant begin = kept.certificate().getNotBefore().toInstant();
        if (!end.isBefore(now.plus(USEFUL)) && !now.isBefore(begin)) {
            return kept;
        }
        LOG.atWarn()
                .addKeyValue("folder", folder)
                .addKeyValue("begin", begin)
                .addKeyValue("end", end)
                .log("the certificate authority in the data folder is replaced, as it ends in less than 30 days, has"
                        + " ended, or is not valid yet: clients need the new kubeconfig");
        return read(folder, SecretFile.replace(folder, AUTHORITY, newPem()));
    }

    private static String newPem() {
        CertificateAuthority made = newAuthority();
        return made.certificatePem() + made.keyPem();
    }

    private static CertificateAuthority read(Path folder, String pem) throws IOException {
        try {
            return new CertificateAuthority(
                    PemReader.certificates("authority", pem).getFirst(), PemReader.privateKey("authority", pem));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(
                    AUTHORITY + " in " + folder + " is damaged; delete it to get a new one: " + e.getMessage(), e);
        }
    }

    /** Waits until the certificate authority is made, and returns it. */
    public CertificateAuthority authority() {
        return made().authority();
    }

    /** A certificate and its key for a client, both as PEM, the certificate first; waits for the authority. */
    public String client(String user, List<String> groups) {
        Issued client = authority().issueToClient(user, groups, Instant.now(), VALID);
        return client.certificatePem() + client.keyPem();
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
}
