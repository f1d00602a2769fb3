package dev.kopf4j.client.error;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The part of an error's body that may be logged: the fields of a {@code Status} object, or a short text. Other JSON is
 * dropped, because it may be an object with secrets.
 */
record RedactedErrorBody(
        String reason, String message, @Nullable JsonNode details) {
    static final RedactedErrorBody NOTHING = new RedactedErrorBody("", "", null);

    private static final Pattern TITLE = Pattern.compile("(?is)<title[^>]*>(.*?)</title>");
    private static final int TEXT_MAX = 256;
    private static final String ELLIPSIS = "...";

    static RedactedErrorBody of(byte[] body) {
        JsonNode json;
        try {
            json = Json.parse(body);
        } catch (JsonConversionException e) {
            return new RedactedErrorBody("", readable(new String(body, StandardCharsets.UTF_8).strip()), null);
        }
        return json.isObject() ? of(json) : NOTHING;
    }

    private static String readable(String text) {
        if (!text.startsWith("<")) {
            return shortened(text);
        }
        Matcher title = TITLE.matcher(text);
        return "an HTML page" + (title.find() ? " '" + shortened(title.group(1).strip()) + "'" : "")
                + ", so that this is no Kubernetes API server, or something stands in between";
    }

    static RedactedErrorBody of(JsonNode status) {
        return "Status".equals(text(status, "kind"))
                ? new RedactedErrorBody(
                        text(status, "reason"), shortened(text(status, "message")), status.get("details"))
                : NOTHING;
    }

    private static String text(JsonNode object, String field) {
        JsonNode value = object.get(field);
        return value != null && value.isString() ? value.stringValue() : "";
    }

    private static String shortened(String text) {
        if (text.codePointCount(0, text.length()) <= TEXT_MAX) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, TEXT_MAX - ELLIPSIS.length())) + ELLIPSIS;
    }
}
