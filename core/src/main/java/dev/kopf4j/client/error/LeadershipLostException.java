package dev.kopf4j.client.error;

import java.io.Serial;

/** Something was not done because this replica may have lost the leadership, and another one may be leading. */
public final class LeadershipLostException extends ClientException {
    @Serial
    private static final long serialVersionUID = 1L;

    private LeadershipLostException(String message, String what) {
        super(message + ", as another replica may act by now: " + what);
    }

    /** Makes the exception for a request. */
    public LeadershipLostException(String request) {
        this("The request was not sent", request);
    }

    /** Makes the exception for a call of a handler. */
    public static LeadershipLostException ofCall(Object handler) {
        return new LeadershipLostException("The call was not made", handler.toString());
    }
}
