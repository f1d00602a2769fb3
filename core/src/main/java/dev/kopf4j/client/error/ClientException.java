package dev.kopf4j.client.error;

import dev.kopf4j.client.error.ApiException.ServerErrorException;
import dev.kopf4j.client.error.ApiException.TooManyRequestsException;
import dev.kopf4j.client.error.ApiException.UnauthorizedException;
import java.io.Serial;

/** A request has failed, and no retry is left. */
public abstract class ClientException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    ClientException(String message, Throwable cause) {
        super(message, cause);
    }

    ClientException(String message) {
        super(message);
    }

    /**
     * True if it may meet all requests alike, whatever they are for: there is no connection, no login, or the server is
     * busy or broken, or another replica may act. False for what the server says about this very request.
     */
    public boolean mayMeetAll() {
        return switch (this) {
            case ConnectionFailedException _,
                    NoCredentialsException _,
                    UnauthorizedException _,
                    LeadershipLostException _ -> true;
            case TooManyRequestsException e -> !e.isAboutObject();
            case ServerErrorException e -> !e.isTooLarge() && !e.isAboutObject();
            default -> false;
        };
    }
}
