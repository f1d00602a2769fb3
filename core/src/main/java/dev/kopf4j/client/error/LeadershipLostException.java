package dev.kopf4j.client.error;

import java.io.Serial;

/** The request was not sent because this replica may have lost the leadership, and another one may be leading. */
public final class LeadershipLostException extends ClientException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes the exception for a request. */
    public LeadershipLostException(String request) {
        super("The request was not sent, as this operator does not lead any more: " + request);
    }
}
