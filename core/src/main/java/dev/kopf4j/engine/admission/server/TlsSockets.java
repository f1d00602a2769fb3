package dev.kopf4j.engine.admission.server;

import dev.kopf4j.engine.admission.http.SocketSecurity;
import dev.kopf4j.webhook.ClientVerification;
import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** Speaks TLS with clients, by a context that another may take the place of at any time. Thread-safe. */
final class TlsSockets implements SocketSecurity {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
    private final ClientVerification clients;
    private volatile SSLContext context;

    TlsSockets(SSLContext context, ClientVerification clients) {
        this.context = context;
        this.clients = clients;
    }

    /** From now on new connections are made by this one; those that exist go on with theirs. */
    void use(SSLContext next) {
        context = next;
    }

    @Override
    public Socket secured(Socket accepted) throws IOException {
        SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(accepted, null, true);
        secure.setUseClientMode(false);
        secure.setEnabledProtocols(PROTOCOLS);
        switch (clients) {
            case NONE -> secure.setWantClientAuth(false);
            case OPTIONAL -> secure.setWantClientAuth(true);
            case REQUIRED -> secure.setNeedClientAuth(true);
        }
        return secure;
    }
}
