package dev.kopf4j;

import java.io.Serial;

/**
 * A setting that does not exist, a value that is none, or a change that comes too late. The message names the setting,
 * the value, and the way out.
 */
public class SettingException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** A mistake with a message for people. */
    public SettingException(String message) {
        super(message);
    }

    /** A mistake that came out as another exception. */
    public SettingException(String message, Throwable cause) {
        super(message, cause);
    }
}
