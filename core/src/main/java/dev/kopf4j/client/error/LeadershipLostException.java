package dev.kopf4j.client.error;

import java.io.Serial;

/** A request was not sent, as its sender is not entitled to it any more: another one may be by now. */
public final class LeadershipLostException extends ClientException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Tells which request. */
    public LeadershipLostException(String request) {
        super("The request was not sent, as this operator does not lead any more: " + request);
    }
}
