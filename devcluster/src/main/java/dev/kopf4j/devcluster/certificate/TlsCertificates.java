package dev.kopf4j.devcluster.certificate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;

/** Makes what it takes to speak TLS beside other work, since that takes a while. Safe for use by several threads. */
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

    /** With an authority that the folder keeps, or a new one without a folder: the prepared one, if there is. */
    public static TlsCertificates of(Optional<Path> folder) {
        return folder.isPresent()
                ? new TlsCertificates(folder)
                : PREPARED.getAndSet(Optional.empty()).orElseGet(() -> new TlsCertificates(folder));
    }

    /** Begins one for the next server without a folder. */
    public static synchronized void prepare() {
        if (PREPARED.get().isEmpty()) {
            PREPARED.set(Optional.of(new TlsCertificates(Optional.empty())));
        }
    }

    /** The thread that makes it, which ends. */
    public Thread thread() {
        return thread;
    }

    /** The certificate authority, when it is made. */
    public CertificateAuthority certificateAuthority() {
        return made().certificateAuthority();
    }

    /** What a server speaks TLS with, when it is made. */
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
