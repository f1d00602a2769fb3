package dev.kopf4j.engine.admission.server;

import java.util.Map;

/**
 * What the JDK's HTTP server takes from system properties only, and reads once for all servers of the process. Values
 * that somebody has set stay.
 */
public final class HttpServerProperties {
    private static final Map<String, String> VALUES = Map.of(
            // Otherwise each response waits for the client's acknowledgement of its headers.
            "sun.net.httpserver.nodelay", "true",
            // Seconds. Longer than the 90 of Go's clients: who writes while the other side closes, has lost a request.
            "sun.net.httpserver.idleInterval", "120",
            // Unfinished handshakes and idle connections together.
            "sun.net.httpserver.maxIdleConnections", "1000");

    private HttpServerProperties() {}

    /** Sets them. Must be called before the first server of the process is made. */
    public static void set() {
        VALUES.forEach((name, value) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, value);
            }
        });
    }
}
