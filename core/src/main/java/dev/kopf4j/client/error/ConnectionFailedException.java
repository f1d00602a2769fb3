package dev.kopf4j.client.error;

import java.io.IOException;
import java.io.Serial;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** A request got no complete response: the server cannot be reached, or the connection broke. */
public final class ConnectionFailedException extends ClientException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String server;
    private final boolean neverOpen;

    /**
     * Makes the exception for a request (what) to a server. If the cause is a {@link ConnectException}, the connection
     * was never open.
     */
    public ConnectionFailedException(String what, String server, IOException cause) {
        super(what + " at " + server + " failed: " + described(cause), cause);
        this.server = server;
        this.neverOpen = cause instanceof ConnectException;
    }

    private static String described(IOException cause) {
        String text = cause.getMessage();
        if (cause instanceof ConnectException) {
            return isUnknownHost(cause)
                    ? "the name of the host is not known: check the address, and the DNS of this machine"
                    : "cannot connect: " + (text == null ? "nobody listens there" : text);
        }
        return text == null ? cause.getClass().getSimpleName() : text;
    }

    private static boolean isUnknownHost(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof UnresolvedAddressException || each instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }

    /** The address of the server. */
    public String server() {
        return server;
    }

    /** True if the request was certainly not sent; false if the server may have acted on it. */
    public boolean neverOpen() {
        return neverOpen;
    }
}
