package dev.kopf4j.devcluster.cel.library;

import dev.cel.common.types.SimpleType;
import java.util.List;

/** Writes a text as a literal of the language: {@code strings.quote}; {@code ext/strings.go} of cel-go, v0.23. */
final class QuoteFunction {
    private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\\\"";
    private static final String LETTERS = "abfnrtv\\\"";

    private QuoteFunction() {}

    static void declare(CelFunctions functions) {
        functions.global(
                "strings.quote", SimpleType.STRING, List.of(SimpleType.STRING), given -> quote((String) given[0]));
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int position = 0; position < text.length(); position++) {
            char character = text.charAt(position);
            int index = ESCAPED.indexOf(character);
            if (index >= 0) {
                quoted.append('\\').append(LETTERS.charAt(index));
            } else {
                quoted.append(character);
            }
        }
        return quoted.append('"').toString();
    }
}
