package dev.kopf4j.types;

import dev.kopf4j.types.text.UnfitException;
import java.util.function.Supplier;

/**
 * A Java type cannot be a custom resource, or a definition cannot be Java types. The message names place and way out.
 */
public final class TypeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A problem in words for people. */
    public TypeException(String message) {
        super(message);
    }

    private TypeException(UnfitException problem) {
        super(problem.getMessage(), problem);
    }

    /** Makes something; what does not fit is such an exception for those outside. */
    static <T> T unless(Supplier<T> made) {
        try {
            return made.get();
        } catch (UnfitException e) {
            throw new TypeException(e);
        }
    }
}
