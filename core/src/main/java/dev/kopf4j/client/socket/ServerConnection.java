package dev.kopf4j.client.socket;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.io.ModalCloseable;
import org.apache.hc.core5.util.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open connection to a server. One task at a time uses it; any task closes it. */
final class ServerConnection implements ModalCloseable {
    /**
     * Enough for the head of a request with a token, and for a usual answer; larger bodies are not copied into the
     * buffer. A connection has three of them, and each watch has a connection.
     */
    private static final Http1Config CONFIG =
            Http1Config.custom().setBufferSize(2048).build();

    /** How long a connection that has answered is taken as it is: to look at an open one takes a millisecond. */
    private static final Duration TRUSTED = Duration.ofMillis(100);

    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");
    private final Socket socket;
    private final DefaultBHttpClientConnection http = new DefaultBHttpClientConnection(CONFIG);

    private final Platform platform;
    private Deadline lookAfter;

    private ServerConnection(Platform platform, Socket socket) {
        this.platform = platform;
        this.socket = socket;
        this.lookAfter = platform.after(Duration.ZERO);
    }

    /** Makes a connection without TLS. */
    static ServerConnection plain(Platform platform, Socket socket) throws IOException {
        ServerConnection connection = new ServerConnection(platform, socket);
        connection.http.bind(socket);
        return connection;
    }

    /** Makes a connection with TLS over the given socket. */
    static ServerConnection secured(Platform platform, SSLSocket tls, Socket socket) throws IOException {
        ServerConnection connection = new ServerConnection(platform, socket);
        connection.http.bind(tls, socket);
        return connection;
    }

    /** What speaks HTTP. */
    DefaultBHttpClientConnection http() {
        return http;
    }

    /** What carries the bytes. */
    Socket socket() {
        return socket;
    }

    /** Called when a request is done, and another one may come. */
    void rest() {
        readTimeout(Timeout.DISABLED);
        lookAfter = platform.after(TRUSTED);
    }

    /** False if the server has closed it while it rested. */
    boolean isUsable() {
        try {
            return !lookAfter.hasPassed(platform) || !http.isStale();
        } catch (IOException e) {
            log.debug("A connection that rested is of no use any more: {}", e.getMessage());
            return false;
        }
    }

    /** How long a read waits for a byte; zero for ever. */
    void readTimeout(Timeout timeout) {
        http.setSocketTimeout(timeout);
    }

    @Override
    public void close() {
        abort(socket);
    }

    /** Always at once: a farewell could wait for a server that does not read any more. */
    @Override
    public void close(CloseMode mode) {
        close();
    }

    /** Closes a socket without a word to the other side. */
    static void abort(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            log.debug("A socket cannot be closed: {}", e.getMessage());
        }
    }
}
