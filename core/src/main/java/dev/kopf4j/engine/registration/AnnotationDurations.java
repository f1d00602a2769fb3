package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import java.time.Duration;

/** Reads the durations of annotations. Pure. */
public final class AnnotationDurations {
    private AnnotationDurations() {}

    /**
     * Reads a duration.
     *
     * @param what what it is for, for the message
     * @throws HandlerDeclarationException if it is none
     */
    public static Duration parse(String text, String what) {
        try {
            return dev.kopf4j.text.DurationText.parse(text);
        } catch (IllegalArgumentException e) {
            throw new HandlerDeclarationException(what + " is " + e.getMessage(), e);
        }
    }
}
