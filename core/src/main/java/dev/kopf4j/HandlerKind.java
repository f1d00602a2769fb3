package dev.kopf4j;

import java.util.Locale;

/** What a handler is called for. */
public enum HandlerKind {
    /** {@link OnResume}. */
    RESUME,
    /** {@link OnCreate}. */
    CREATE,
    /** {@link OnUpdate}. */
    UPDATE,
    /** {@link OnDelete}. */
    DELETE,
    /** {@link OnField}. */
    FIELD,
    /** {@link OnEvent}. */
    EVENT,
    /** {@link OnIndex}. */
    INDEX;

    /** The name of its annotation. */
    public String annotation() {
        String word = name().toLowerCase(Locale.ROOT);
        return "@On" + Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
}
