package dev.kopf4j.devcluster.http;

import dev.kopf4j.devcluster.api.WatchStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Writes the events of one watch to its client, on the thread of the request. */
final class WatchStreamWriter implements AutoCloseable {
    private final WatchStream stream;
    private final OutputStream out;
    private final Semaphore news = new Semaphore(0);
    private volatile boolean closed;

    WatchStreamWriter(WatchStream stream, OutputStream out) {
        this.stream = stream;
        this.out = out;
        stream.onSignal(news::release);
    }

    /** Writes until the watch ends or the client disconnects, in which case a write fails. */
    void run() throws IOException {
        while (!closed) {
            Optional<byte[]> lines = stream.take();
            if (lines.isPresent()) {
                out.write(lines.get());
                out.flush();
            } else if (stream.ended()) {
                return;
            } else {
                await();
            }
        }
    }

    private void await() throws IOException {
        try {
            news.acquire();
            news.drainPermits();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the server is closing", e);
        }
    }

    @Override
    public void close() {
        closed = true;
        stream.close();
        news.release();
    }
}
