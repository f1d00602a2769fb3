package dev.kopf4j.json;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;

/** Says why a text is no JSON. Some of Jackson's own messages name its classes, and readers may be strangers. */
final class ParsingErrorMessage {
    private ParsingErrorMessage() {}

    static String of(JacksonException e) {
        return "not valid JSON" + place(e.getLocation()) + ": " + reason(e);
    }

    private static String place(@Nullable TokenStreamLocation location) {
        return location == null || location.getLineNr() < 1
                ? ""
                : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    private static String reason(JacksonException e) {
        return switch (e) {
            case StreamConstraintsException _ -> "it has more than " + JsonLimits.SERVER_LEVELS_MAX + " levels";
            case StreamReadException read -> read.getOriginalMessage();
            default -> "its bytes are no text in UTF-8";
        };
    }
}
