package dev.kopf4j.engine.recording;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON object after the other into the same bytes, each in one line: a generator of a library would cost
 * more than all that it writes. Not thread-safe.
 */
final class JsonLine {
    /** Longer texts are cut: a line is for people. */
    static final int TEXT_MAX = 500;

    private static final int TEXTS_MAX = 50;

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[1024];
    private int length;
    private boolean first = true;

    /** Forgets the line before. */
    JsonLine begin() {
        length = 0;
        first = true;
        return put('{');
    }

    /** The line is complete. */
    JsonLine end() {
        return put('}').put('\n');
    }

    /** The bytes of the line, up to {@link #length}. */
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** A text; nothing if it is null or empty. */
    JsonLine text(String key, @Nullable String value) {
        return text(key, value, TEXT_MAX);
    }

    /** A text that is cut at another length. */
    JsonLine text(String key, @Nullable String value, int longest) {
        return value == null || value.isEmpty() ? this : key(key).quoted(value, longest);
    }

    /** A number. */
    JsonLine number(String key, long value) {
        return key(key).digits(value);
    }

    /** A truth; left out if it does not hold. */
    JsonLine flag(String key, boolean value) {
        return value ? key(key).ascii("true") : this;
    }

    /** Milliseconds with three decimals, of nanoseconds that are not negative. */
    JsonLine millis(String key, long nanos) {
        long micros = Math.max(0, nanos) / 1000;
        return key(key).digits(micros / 1000).put('.').threeDigits((int) (micros % 1000));
    }

    /** A list of texts, of 50 at the most; nothing if there are none. */
    JsonLine texts(String key, Iterable<String> values) {
        boolean any = false;
        int count = 0;
        for (String value : values) {
            if (count++ == TEXTS_MAX) {
                break;
            }
            if (any) {
                put(',');
            } else {
                key(key).put('[');
            }
            quoted(value, TEXT_MAX);
            any = true;
        }
        return any ? put(']') : this;
    }

    /** A point in time, in UTC, with milliseconds. */
    JsonLine time(String key, String upToSeconds, int millis) {
        return key(key).put('"')
                .ascii(upToSeconds)
                .put('.')
                .threeDigits(millis)
                .put('Z')
                .put('"');
    }

    private JsonLine key(String key) {
        if (!first) {
            put(',');
        }
        first = false;
        return put('"').ascii(key).put('"').put(':');
    }

    private JsonLine digits(long value) {
        if (value < 0) {
            return put('-').digits(-value);
        }
        if (value >= 10) {
            digits(value / 10);
        }
        return put((char) ('0' + value % 10));
    }

    private JsonLine threeDigits(int value) {
        return put((char) ('0' + value / 100))
                .put((char) ('0' + value / 10 % 10))
                .put((char) ('0' + value % 10));
    }

    private JsonLine quoted(String value, int longest) {
        put('"');
        int end = Math.min(value.length(), longest);
        if (end < value.length() && Character.isHighSurrogate(value.charAt(end - 1))) {
            end--;
        }
        int plain = plain(value, end);
        copy(value, plain);
        for (int at = plain; at < end; at++) {
            char each = value.charAt(at);
            if (isPlain(each)) {
                put(each);
            } else {
                special(each);
            }
        }
        return end < value.length() ? ascii("...").put('"') : put('"');
    }

    /** How many plain letters there are at the begin. */
    private static int plain(String value, int end) {
        int at = 0;
        while (at < end && isPlain(value.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isPlain(char each) {
        return each >= ' ' && each < 0x7f && each != '"' && each != '\\';
    }

    /** What is no plain letter is written as an escape: so a line is ASCII, wherever it is cut. */
    private void special(char each) {
        switch (each) {
            case '"', '\\' -> put('\\').put(each);
            case '\n' -> put('\\').put('n');
            default -> {
                put('\\').put('u');
                for (int shift = 12; shift >= 0; shift -= 4) {
                    put((char) HEX[each >> shift & 0xf]);
                }
            }
        }
    }

    private JsonLine ascii(String text) {
        return copy(text, text.length());
    }

    /** Copies plain letters at once: one by one, they would be most of what a line costs. */
    @SuppressWarnings("deprecation") // it takes the low bytes, and these letters have no others
    private JsonLine copy(String text, int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
        }
        text.getBytes(0, count, bytes, length);
        length += count;
        return this;
    }

    private JsonLine put(char each) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, length * 2);
        }
        bytes[length++] = (byte) each;
        return this;
    }
}
