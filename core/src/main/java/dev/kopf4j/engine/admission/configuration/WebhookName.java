package dev.kopf4j.engine.admission.configuration;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** How a handler's webhook is called, and addressed. Pure. */
final class WebhookName {
    private static final String UNRESERVED = "-._~/";

    private WebhookName() {}

    /**
     * The name of a webhook: the id of the handler within the domain of the configuration. The API server takes nothing
     * but lower-case letters, digits, dots and dashes: {@code checkSize} becomes {@code check-size}; what cannot be
     * part of a name is written as the hexadecimal digits of its UTF-8 bytes.
     */
    static String of(String id, String configuration) {
        StringBuilder name = new StringBuilder();
        id.codePoints().forEach(each -> append(name, each));
        return name.append('.').append(configuration).toString();
    }

    private static void append(StringBuilder name, int character) {
        char last = name.isEmpty() ? '.' : name.charAt(name.length() - 1);
        if (character == '/') {
            name.append('.');
        } else if (character == '_') {
            name.append('-');
        } else if (character >= 'A' && character <= 'Z') {
            name.append(last == '.' || last == '-' ? "" : "-").append((char) (character - 'A' + 'a'));
        } else if ((character < 128 && isLetterOrDigit((char) character)) || character == '.' || character == '-') {
            name.append((char) character);
        } else {
            name.append(HexFormat.of().formatHex(Character.toString(character).getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** The id as the end of a URL's path: percent-encoded, except that slashes stay. */
    static String path(String id) {
        StringBuilder path = new StringBuilder();
        for (byte each : id.getBytes(StandardCharsets.UTF_8)) {
            char letter = (char) (each & 0xff);
            boolean plain = each > 0 && (isLetterOrDigit(letter) || UNRESERVED.indexOf(letter) >= 0);
            path.append(plain ? String.valueOf(letter) : "%%%02X".formatted(each & 0xff));
        }
        return path.toString();
    }

    private static boolean isLetterOrDigit(char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
    }
}
