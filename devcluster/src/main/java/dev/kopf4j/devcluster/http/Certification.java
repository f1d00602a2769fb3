package dev.kopf4j.devcluster.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;

/** Makes what it takes to speak TLS beside other work, since that takes a while. Safe for use by several threads. */
public final class Certification {
    private static final AtomicReference<Optional<Certification>> PREPARED = new AtomicReference<>(Optional.empty());
    private final FutureTask<Made> task;
    private final Thread thread;

    private record Made(Authority authority, SSLContext context) {}

    private Certification(Optional<Path> folder) {
        this.task = new FutureTask<>(() -> {
            Authority authority = Authority.of(folder);
            return new Made(authority, authority.serverContext());
        });
        this.thread = Thread.ofVirtual().name("devcluster-certifier").start(task);
    }

    /** With an authority that the folder keeps, or a new one without a folder: the prepared one, if there is. */
    static Certification of(Optional<Path> folder) {
        return folder.isPresent()
                ? new Certification(folder)
                : PREPARED.getAndSet(Optional.empty()).orElseGet(() -> new Certification(folder));
    }

    /** Begins one for the next server without a folder. */
    public static synchronized void prepare() {
        if (PREPARED.get().isEmpty()) {
            PREPARED.set(Optional.of(new Certification(Optional.empty())));
        }
    }

    /** The thread that makes it, which ends. */
    Thread thread() {
        return thread;
    }

    /** The certificate authority, when it is made. */
    Authority authority() {
        return made().authority();
    }

    /** What a server speaks TLS with, when it is made. */
    SSLContext context() {
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
