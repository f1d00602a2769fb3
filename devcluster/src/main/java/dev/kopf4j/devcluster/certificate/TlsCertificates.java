package dev.kopf4j.devcluster.certificate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;

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
}
