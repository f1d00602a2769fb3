package dev.kopf4j;

import java.util.Locale;

/** What happened to an object. */
public enum Reason {
    /** It has not been handled before. */
    CREATE,
    /** Its essence has changed. */
    UPDATE,
    /** Its deletion was requested. */
    DELETE,
    /** It was handled before, and is seen for the first time since the operator's start. */
    RESUME,
    /** Nothing that matters has changed. */
    NOOP,
    /** It is being deleted, and the operator does not hold it any more. */
    FREE,
    /** It does not exist any more. */
    GONE;

    /** True if handlers can be declared for this reason. */
    public boolean isHandled() {
        return compareTo(NOOP) < 0;
    }

    /** The lower-case word, as stored in progress records. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
