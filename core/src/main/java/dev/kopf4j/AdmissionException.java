package dev.kopf4j;

/**
 * Refuses what a client wants to do, in an admission handler ({@link OnValidate}, {@link OnMutate}): the client sees
 * the message and the code. In other handlers it is a {@link PermanentException}.
 */
public class AdmissionException extends PermanentException {
    /** The code of refusals that name none. */
    public static final int DEFAULT_CODE = 500;

    private static final long serialVersionUID = 1L;

    private final int code;

    /** A refusal with the code 500. */
    public AdmissionException(String message) {
        this(message, DEFAULT_CODE);
    }

    /**
     * A refusal.
     *
     * @param message what people see, as in {@code kubectl}
     * @param code the HTTP status that the client of the API gets, such as 400, 403 or 422; 0 for 500, and so is what
     *     is not from 400 to 599
     */
    public AdmissionException(String message, int code) {
        super(message);
        this.code = code;
    }

    /** The HTTP status that the client of the API gets. */
    public int code() {
        return code == 0 ? DEFAULT_CODE : code;
    }
}
