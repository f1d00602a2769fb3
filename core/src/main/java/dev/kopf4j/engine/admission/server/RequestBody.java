package dev.kopf4j.engine.admission.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads bodies that are not too large. */
final class RequestBody {
    /**
     * The API server takes 3 MB of a client at most, and sends an object in its old and new form: 7 MB have room for
     * both.
     */
    static final int BYTES_MAX = 7 * 1024 * 1024;

    private static final int DISCARDED_MAX = 2 * BYTES_MAX;

    private RequestBody() {}

    /**
     * The body; empty if it is too large. The rest of a large one is thrown away, to some extent: a client that is
     * still sending does not read the answer.
     */
    static Optional<byte[]> read(InputStream from) throws IOException {
        byte[] body = from.readNBytes(BYTES_MAX + 1);
        if (body.length <= BYTES_MAX) {
            return Optional.of(body);
        }
        from.skip(DISCARDED_MAX);
        return Optional.empty();
    }
}
