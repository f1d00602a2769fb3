package dev.kopf4j.cli.library;

import dev.kopf4j.cli.process.CommandException;
import java.util.Optional;

/** Tells why a class of an operator cannot be loaded, and what to do. Pure. */
public final class UnloadableClass {
    private UnloadableClass() {}

    /**
     * Makes the exception.
     *
     * @param className the class, with what it is there for
     */
    public static CommandException because(String className, Throwable failure) {
        return missing(failure)
                .map(missing -> CommandException.sources("Cannot load the class " + className + ": it needs " + missing
                        + ", which is in none of the given jars and folders. Add the jar that has it by --classpath, or"
                        + " name it in a source file by a line `//DEPS group:artifact:version`."))
                .orElseGet(() -> CommandException.sources("Cannot load the class " + className + ": " + failure));
    }

    private static Optional<String> missing(Throwable failure) {
        return switch (failure) {
            case NoClassDefFoundError error
            when error.getMessage() != null && isName(error.getMessage()) ->
                Optional.of(error.getMessage().replace('/', '.'));
            case ClassNotFoundException exception -> Optional.ofNullable(exception.getMessage());
            case TypeNotPresentException exception -> Optional.of(exception.typeName());
            default -> Optional.empty();
        };
    }

    /** Another of its messages is that the initialisation of a class has failed before. */
    private static boolean isName(String message) {
        return message.indexOf(' ') < 0;
    }
}
