package dev.kopf4j.devcluster.value;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.regex.Pattern;

/** Reads and writes times and bytes in the forms of the API. */
public final class ApiTimes {
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'");
    private static final Pattern MICRO_FORM = Pattern.compile(".*T\\d\\d:\\d\\d:\\d\\d\\.\\d{6,}(Z|[+-]\\d\\d:\\d\\d)");

    private ApiTimes() {}

    public static String seconds(String text) {
        return parse(text, "2006-01-02T15:04:05Z07:00")
                .withOffsetSameInstant(ZoneOffset.UTC)
                .toInstant()
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    public static String micros(String text) {
        String layout = "2006-01-02T15:04:05.000000Z07:00";
        if (!MICRO_FORM.matcher(text).matches()) {
            throw unreadable(text, layout);
        }
        return parse(text, layout).withOffsetSameInstant(ZoneOffset.UTC).format(MICROS);
    }

    private static OffsetDateTime parse(String text, String layout) {
        try {
            return OffsetDateTime.parse(text);
        } catch (DateTimeException e) {
            throw unreadable(text, layout);
        }
    }

    private static DecodingException unreadable(String text, String layout) {
        return new DecodingException(
                "parsing time \"" + text + "\" as \"" + layout + "\": cannot parse \"" + text + "\"");
    }

    public static String base64(String text) {
        try {
            Base64.getDecoder().decode(text.replace("\n", "").replace("\r", ""));
            return text;
        } catch (IllegalArgumentException e) {
            throw new DecodingException("illegal base64 data at input byte 0");
        }
    }
}
