package dev.kopf4j.engine.conversion;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.util.Optional;

/** Where reviews of a definition arrive: at {@code convert/widgets.example.com}, below the server's own path. Pure. */
public final class ConversionAddress {
    private static final String START = "convert/";

    private ConversionAddress() {}

    /** The end of the path for a definition. */
    public static String of(String definition) {
        return START + definition;
    }

    /** The definition that the end of a path is for; empty if it is for none. */
    static Optional<String> definition(String path) {
        return path.startsWith(START) ? Optional.of(path.substring(START.length())) : Optional.empty();
    }

    /** True if the body is what is posted to such a path. */
    static boolean looksLikeReview(byte[] body) {
        try {
            return ConversionReview.isMeant(Json.parse(body));
        } catch (JsonConversionException e) {
            return false; // admission says what is wrong with it
        }
    }
}
