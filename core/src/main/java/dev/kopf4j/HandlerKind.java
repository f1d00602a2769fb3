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
    INDEX,
    /** {@link OnDaemon}. */
    DAEMON,
    /** {@link OnTimer}. */
    TIMER,
    /** {@link OnValidate}. */
    VALIDATE,
    /** {@link OnMutate}. */
    MUTATE,
    /** {@link OnReconcile}. */
    RECONCILE,
    /** {@link OnChild}. */
    CHILD;

    /** The name of its annotation. */
    public String annotation() {
        String word = name().toLowerCase(Locale.ROOT);
        return "@On" + Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    /** True for what runs beside objects: daemons and timers. */
    public boolean isBackground() {
        return this == DAEMON || this == TIMER;
    }

    /** True for what the API server asks before it stores anything. */
    public boolean isAdmission() {
        return this == VALIDATE || this == MUTATE;
    }

    /** True for what is about the children of objects. */
    public boolean isOfChildren() {
        return this == RECONCILE || this == CHILD;
    }

    /** True for what is called for changes of objects. */
    public boolean isOfChange() {
        return compareTo(EVENT) < 0;
    }
}
