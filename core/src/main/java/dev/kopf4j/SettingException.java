package dev.kopf4j;

import java.io.Serial;

/**
 * Says that a setting does not exist, that a value does not fit it, or that a change comes too late. The message names
 * the setting, the value, and the way out.
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
