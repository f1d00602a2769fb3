package dev.kopf4j.engine.admission.http;

import java.io.IOException;
import java.net.Socket;

/** Makes the connections of clients secure, or leaves them as they are. Thread-safe. */
@FunctionalInterface
public interface SocketSecurity {
    /** No security: plain HTTP. */
    SocketSecurity NONE = socket -> socket;

    /** The socket to be used in place of an accepted one, which it closes when it is closed. No bytes are exchanged. */
    Socket secured(Socket accepted) throws IOException;
}
