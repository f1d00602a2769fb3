package dev.kopf4j.client.socket;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.tls.CipherPreference;
import dev.kopf4j.client.tls.TlsContext;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Opens connections to one server: directly or by a proxy, with TLS or without. Thread-safe. */
final class ConnectionOpener {
    private final Platform platform;
    private final ServerAddress address;
    private final SSLContext context;
    private final CipherPreference ciphers = CipherPreference.ofThisJvm();
    private final Optional<HttpProxy> proxy;
    private final int connectMillis;
    /** Whom to ask for, behind a server that chooses by name; empty for the host of the address. */
    private final List<SNIServerName> serverNames;

    /**
     * Makes an opener; it connects to nothing yet.
     *
     * @throws IllegalArgumentException if certificates or keys cannot be read
     */
    ConnectionOpener(
            Platform platform,
            ConnectionInfo info,
            ServerAddress address,
            Optional<HttpProxy> proxy,
            @Nullable Duration connectTimeout) {
        this.platform = platform;
        this.address = address;
        this.context = TlsContext.of(info);
        this.proxy = proxy;
        this.serverNames = serverNames(info.tlsServerName());
        this.connectMillis = connectTimeout == null ? 0 : Math.clamp(connectTimeout.toMillis(), 1, Integer.MAX_VALUE);
    }

    /** TLS asks for host names alone, not for IP addresses. */
    private static List<SNIServerName> serverNames(@Nullable String name) {
        boolean isHost = name != null && !name.contains(":") && !name.matches("[0-9.]*");
        return isHost ? List.of(new SNIHostName(name)) : List.of();
    }

    /**
     * Opens a connection.
     *
     * @param deadline is told of the socket before it connects
     * @throws ConnectException if nobody listens, or not in time, or if the host is not known
     */
    ServerConnection open(ExchangeDeadline deadline) throws IOException {
        Socket socket = proxy.isPresent()
                ? connected(proxy.get().host(), proxy.get().port(), deadline)
                : connected(address.host(), address.port(), deadline);
        boolean open = false;
        try {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            ServerConnection connection = address.secure() ? secured(socket) : ServerConnection.plain(platform, socket);
            open = true;
            return connection;
        } finally {
            if (!open) {
                ServerConnection.abort(socket);
            }
        }
    }

    private ServerConnection secured(Socket socket) throws IOException {
        if (proxy.isPresent()) {
            proxy.get().tunnel(ServerConnection.plain(platform, socket), address.hostAndPort());
        }
        SSLSocket tls =
                (SSLSocket) context.getSocketFactory().createSocket(socket, address.host(), address.port(), true);
        SSLParameters parameters = ciphers.applied(context);
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        if (!serverNames.isEmpty()) {
            parameters.setServerNames(serverNames);
        }
        tls.setSSLParameters(parameters);
        tls.startHandshake();
        return ServerConnection.secured(platform, tls, socket);
    }

    /** Tries all addresses of a host, one after another. */
    private Socket connected(String host, int port, ExchangeDeadline deadline) throws IOException {
        IOException failure = null;
        for (InetAddress each : addresses(host)) {
            try {
                return connected(new InetSocketAddress(each, port), deadline);
            } catch (IOException e) {
                if (deadline.isExpired() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                failure = e;
            }
        }
        throw neverOpen(failure);
    }

    private static InetAddress[] addresses(String host) throws ConnectException {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw neverOpen(e);
        }
    }

    private Socket connected(InetSocketAddress target, ExchangeDeadline deadline) throws IOException {
        // A channel's socket, because an interrupt closes it whatever the kind of the thread.
        Socket socket = SocketChannel.open().socket();
        boolean connected = false;
        try {
            deadline.uses(socket);
            socket.connect(target, connectMillis);
            connected = true;
            return socket;
        } catch (SocketTimeoutException e) {
            throw new IOException("the connection was not open in time", e);
        } finally {
            if (!connected) {
                ServerConnection.abort(socket);
            }
        }
    }

    private static ConnectException neverOpen(@Nullable IOException cause) {
        ConnectException neverOpen = new ConnectException(cause == null ? "no address" : cause.getMessage());
        if (cause != null) {
            neverOpen.initCause(cause);
        }
        return neverOpen;
    }
}
