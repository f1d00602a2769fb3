package dev.kopf4j.devcluster.json;

import java.io.Serial;

/** A request has a number that a real server cannot keep. */
public final class TooLargeNumberException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    TooLargeNumberException(Number number) {
        super("json: cannot unmarshal number " + number.toString().replace("E+", "e")
                + " into Go value of type float64");
    }
}
