package dev.kopf4j.json;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * How large JSON may be: as a real API server has it, which limits the levels and the size of a request, and neither
 * keys, texts nor numbers. What it has accepted must be read: whoever may create one object could otherwise stop an
 * operator for all of them.
 *
 * @see <a href="https://pkg.go.dev/sigs.k8s.io/json">sigs.k8s.io/json</a>, which refuses more than 10,000 levels
 */
public final class JsonLimits {
    /** In one object. */
    public static final int SERVER_LEVELS_MAX = 10_000;

    /** Objects come in lists, events and reviews, and their managed fields have a few levels more than the fields. */
    private static final int LEVELS_MAX = SERVER_LEVELS_MAX + 100;

    // What a value of each kind takes, on a 64-bit machine with compressed pointers.
    private static final int OBJECT_BYTES = 168;
    private static final int EMPTY_OBJECT_BYTES = 88;
    private static final int ARRAY_BYTES = 104;
    private static final int EMPTY_ARRAY_BYTES = 48;
    private static final int FIELD_BYTES = 48;
    private static final int TEXT_BYTES = 48;
    private static final int PLACE_BYTES = 24;

    /** Of a text in UTF-16 or UTF-32, which has zeros there. */
    private static final int FIRST_CHARACTER_BYTES = 8;

    private JsonLimits() {}

    /**
     * About how many bytes of memory the tree of a text takes, rather too many than too few. Found before it is parsed,
     * without keeping anything: a few kilobytes of brackets become megabytes.
     */
    public static long treeBytes(byte[] text) {
        boolean hasTexts = !isWide(text);
        long bytes = 2L * text.length; // a letter that is not Latin makes all of its text twice as long
        boolean isInText = false;
        byte last = 0;
        for (int at = 0; at < text.length; at++) {
            byte letter = text[at];
            if (!isInText) {
                bytes += bytes(letter, last);
                isInText = letter == '"' && hasTexts;
            } else if (letter == '\\') {
                at++;
            } else {
                isInText = letter != '"';
            }
            last = letter;
        }
        return bytes;
    }

    private static int bytes(byte letter, byte last) {
        return switch (letter) {
            case '{' -> OBJECT_BYTES;
            case '}' -> last == '{' ? EMPTY_OBJECT_BYTES - OBJECT_BYTES : 0;
            case '[' -> ARRAY_BYTES;
            case ']' -> last == '[' ? EMPTY_ARRAY_BYTES - ARRAY_BYTES : 0;
            case ':' -> FIELD_BYTES;
            case '"' -> TEXT_BYTES;
            case ',' -> PLACE_BYTES;
            default -> 0;
        };
    }

    /** In other encodings than UTF-8, a byte of a quotation mark may be one of another letter. */
    private static boolean isWide(byte[] text) {
        for (int at = 0; at < Math.min(text.length, FIRST_CHARACTER_BYTES); at++) {
            if (text[at] == 0) {
                return true;
            }
        }
        return false;
    }

    /** A factory that reads what requests bring: one object. */
    public static JsonFactory ofRequests() {
        return factory(SERVER_LEVELS_MAX);
    }

    /** A factory that reads what servers answer and keep. */
    public static JsonFactory ofAnswers() {
        return factory(LEVELS_MAX);
    }

    private static JsonFactory factory(int levels) {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(levels)
                        .maxNameLength(Integer.MAX_VALUE)
                        .maxStringLength(Integer.MAX_VALUE)
                        .maxNumberLength(Integer.MAX_VALUE)
                        .build())
                .streamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(LEVELS_MAX)
                        .build())
                // Jackson's and Java's own take the square of the number's length.
                .enable(StreamReadFeature.USE_FAST_BIG_NUMBER_PARSER)
                .build();
    }
}
