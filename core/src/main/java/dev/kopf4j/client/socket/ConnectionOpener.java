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
import java.util.ArrayList;
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
    /** Who has not answered by then is out of reach, if the host has other addresses. */
    private static final Duration ATTEMPT_MAX = Duration.ofSeconds(3);

    private final Platform platform;
    private final Resolver resolver;
    private final ServerAddress address;
    private final SSLContext context;
    private final CipherPreference ciphers = CipherPreference.ofThisJvm();
    private final Optional<HttpProxy> proxy;
    private final int connectMillis;
    /** Whom to ask for, behind a server that chooses by name; empty for the host of the address. */
    private final List<SNIServerName> serverNames;
    /** Where the last connection was opened; null for nowhere yet. */
    private volatile @Nullable InetAddress proven;
    /** What has taken a connection last, and done nothing with it; null for none. */
    private volatile @Nullable InetAddress doubted;

    /** Finds the addresses of a host. */
    @FunctionalInterface
    interface Resolver {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

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
        this(platform, InetAddress::getAllByName, info, address, proxy, connectTimeout);
    }

    ConnectionOpener(
            Platform platform,
            Resolver resolver,
            ConnectionInfo info,
            ServerAddress address,
            Optional<HttpProxy> proxy,
            @Nullable Duration connectTimeout) {
        this.platform = platform;
        this.resolver = resolver;
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
                ? connected(proxy.get(), deadline)
                : connected(address.host(), address.port(), deadline);
        boolean open = false;
        try {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            ServerConnection connection = address.secure() ? secured(socket) : ServerConnection.plain(platform, socket);
            open = true;
            prove(socket.getInetAddress());
            return connection;
        } finally {
            if (!open) {
                forget(socket.getInetAddress()); // it takes connections, but does nothing with them
                ServerConnection.abort(socket);
            }
        }
    }

    private void prove(@Nullable InetAddress works) {
        proven = works;
        if (works != null && works.equals(doubted)) {
            doubted = null;
        }
    }

    private void forget(@Nullable InetAddress failed) {
        doubted = failed;
        if (failed != null && failed.equals(proven)) {
            proven = null;
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

    /**
     * Tries all addresses of a host, one after another: first the one that worked, last the one that takes connections
     * but did nothing with the last one. Each but the last one gets a share of the time that is left, as one that does
     * not answer at all, such as a control plane node that is off, would take all of it.
     */
    private Socket connected(String host, int port, ExchangeDeadline deadline) throws IOException {
        IOException failure = null;
        List<InetAddress> left = addresses(host);
        while (!left.isEmpty()) {
            InetAddress each = left.removeFirst();
            try {
                int millis = left.isEmpty()
                        ? connectMillis
                        : share(deadline.remaining().dividedBy(left.size() + 1L));
                return connected(new InetSocketAddress(each, port), millis, deadline);
            } catch (IOException e) {
                if (deadline.isExpired() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                failure = e;
            }
        }
        throw neverOpen(failure);
    }

    private Socket connected(HttpProxy through, ExchangeDeadline deadline) throws IOException {
        try {
            return connected(through.host(), through.port(), deadline);
        } catch (ConnectException e) {
            ConnectException neverOpen = new ConnectException(
                    "the proxy " + through.host() + ":" + through.port() + " cannot be reached: " + e.getMessage());
            neverOpen.addSuppressed(e); // as its cause, it would say that the host of the server is not known
            throw neverOpen;
        } catch (IOException e) {
            throw deadline.isExpired()
                    ? ExchangeDeadline.timeout(" from the proxy " + through.host() + ":" + through.port(), e)
                    : e;
        }
    }

    private int share(Duration time) {
        int millis = (int) Math.clamp(time.toMillis(), 1, ATTEMPT_MAX.toMillis());
        return connectMillis == 0 ? millis : Math.min(millis, connectMillis);
    }

    private List<InetAddress> addresses(String host) throws ConnectException {
        try {
            List<InetAddress> all = new ArrayList<>(List.of(resolver.addresses(host)));
            InetAddress first = proven;
            if (first != null && all.remove(first)) {
                all.addFirst(first);
            }
            InetAddress last = doubted;
            if (last != null && all.remove(last)) {
                all.addLast(last);
            }
            return all;
        } catch (UnknownHostException e) {
            throw neverOpen(e);
        }
    }

    private static Socket connected(InetSocketAddress target, int millis, ExchangeDeadline deadline)
            throws IOException {
        // A channel's socket, because an interrupt closes it whatever the kind of the thread.
        Socket socket = SocketChannel.open().socket();
        boolean connected = false;
        try {
            deadline.uses(socket);
            socket.connect(target, millis);
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
