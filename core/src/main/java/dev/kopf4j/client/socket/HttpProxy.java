package dev.kopf4j.client.socket;

import java.io.IOException;
import java.net.URI;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.jspecify.annotations.Nullable;

/**
 * A proxy that passes requests on, or opens a tunnel for TLS.
 *
 * @param host its name or IP address
 * @param port its port
 * @param authorization the value of {@code Proxy-Authorization}; null for none
 */
record HttpProxy(String host, int port, @Nullable String authorization) {
    private static final int DEFAULT_PORT = 80;

    /** Reads {@code http://user:password@host:port}; user and port may be missing. */
    static HttpProxy of(URI url) {
        String[] user =
                url.getUserInfo() == null ? new String[0] : url.getUserInfo().split(":", 2);
        return new HttpProxy(
                url.getHost(),
                url.getPort() < 0 ? DEFAULT_PORT : url.getPort(),
                user.length == 0 ? null : AuthorizationHeader.basic(user[0], user.length > 1 ? user[1] : ""));
    }

    /** Adds the password, if the proxy wants one. */
    void authorize(ClassicHttpRequest request) {
        if (authorization != null) {
            request.setHeader(HttpHeaders.PROXY_AUTHORIZATION, authorization);
        }
    }

    /**
     * Asks the proxy at the other end of the connection to connect it to a server.
     *
     * @throws IOException if it refuses
     */
    void tunnel(ServerConnection connection, String hostAndPort) throws IOException {
        ClassicHttpRequest request = new BasicClassicHttpRequest("CONNECT", null, null, hostAndPort);
        request.setHeader(HttpHeaders.HOST, hostAndPort);
        authorize(request);
        try {
            ClassicHttpResponse response =
                    new HttpRequestExecutor().execute(request, connection.http(), HttpCoreContext.create());
            if (response.getCode() != HttpStatus.SC_OK) {
                throw new IOException("the proxy " + host + ":" + port + " opens no tunnel to " + hostAndPort + ": "
                        + response.getCode() + " " + response.getReasonPhrase());
            }
        } catch (HttpException e) {
            throw new IOException("the proxy " + host + ":" + port + " does not speak HTTP: " + e.getMessage(), e);
        }
    }
}
