package dev.kopf4j;

import java.io.Serial;

/**
 * A part of an object does not fit the type that a handler wants it as. A permanent failure of that handler; the
 * message has the path and the value, but of a Secret.
 */
public class BindingException extends PermanentException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String misfit;

    /** A misfit with a message for people. */
    public BindingException(String message, Throwable cause) {
        super(message, cause);
        this.misfit = "a value does not fit its type";
    }

    /**
     * A misfit with a message for people.
     *
     * @param misfit what does not fit which type
     * @param values where, and what was found there
     */
    public BindingException(String misfit, String values, Throwable cause) {
        super(misfit + ": " + values, cause);
        this.misfit = misfit;
    }

    private BindingException(String misfit) {
        super(misfit + "; what was found is not shown, as it may be a secret");
        this.misfit = misfit;
    }

    /** The same without the values that were found: for objects that may be seen by few, such as Secrets. */
    public BindingException withoutValues() {
        return new BindingException(misfit);
    }
}
