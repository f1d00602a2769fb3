package dev.kopf4j.engine.admission.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.regex.Pattern;

/** Reads bodies that are not too large (RFC 9112, 6 and 7.1). */
public final class RequestBody {
    /**
     * The API server takes 3 MB of a client at most, and sends an object in its old and new form: 7 MB have room for
     * both.
     */
    public static final int BYTES_MAX = 7 * 1024 * 1024;

    private static final int BAD_REQUEST = 400;
    private static final int TOO_LARGE = 413;
    private static final int LINE_MAX = 4096;
    private static final int TRAILERS_MAX = 100;
    private static final Pattern CHUNK_SIZE = Pattern.compile("([0-9a-fA-F]{1,7})[ \t]*(;.*)?");

    private RequestBody() {}

    /** The body that belongs to a head. */
    static byte[] read(RequestHead head, RequestBytes from) throws IOException {
        return head.length() < 0 ? chunks(from) : from.exactly((int) bounded(head.length()));
    }

    /** Refuses bodies that are announced to be too large, before they come. */
    static long bounded(long length) throws HttpProblem {
        if (length > BYTES_MAX) {
            throw new HttpProblem(TOO_LARGE, "a review has at most " + BYTES_MAX + " bytes");
        }
        return length;
    }

    private static byte[] chunks(RequestBytes from) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int size = size(from.line(LINE_MAX));
        while (size > 0) {
            bounded((long) body.size() + size);
            body.writeBytes(from.exactly(size));
            if (!from.line(LINE_MAX).isEmpty()) {
                throw malformed();
            }
            size = size(from.line(LINE_MAX));
        }
        for (int trailers = 0; !from.line(LINE_MAX).isEmpty(); trailers++) {
            if (trailers > TRAILERS_MAX) {
                throw malformed();
            }
        }
        return body.toByteArray();
    }

    private static int size(String line) throws HttpProblem {
        var matcher = CHUNK_SIZE.matcher(line);
        if (!matcher.matches()) {
            throw malformed();
        }
        return Integer.parseInt(matcher.group(1), 16);
    }

    private static HttpProblem malformed() {
        return new HttpProblem(BAD_REQUEST, "a chunk is malformed");
    }
}
