package dev.kopf4j.engine.tracing;

import dev.kopf4j.BindingException;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;

/** What may be told of a failure outside of the log: its class, and its message where that quotes no values. Pure. */
public final class FailureText {
    /** Causes may go round in circles. */
    private static final int CAUSES_MAX = 20;

    private FailureText() {}

    /**
     * In one line.
     *
     * @param secret true if it has happened to a Secret: then the message may quote it
     * @param values true if the values of other objects may be told: what a server says may quote them
     */
    public static String of(Throwable failure, boolean secret, boolean values) {
        String name = failure.getClass().getSimpleName();
        if (secret) {
            return name;
        }
        if (!values && failure instanceof ClientException) {
            return failure instanceof ApiException refused ? name + ", HTTP " + refused.status() : name;
        }
        if (!values && hasMisfit(failure)) {
            return failure instanceof BindingException misfit
                    ? name + ": " + misfit.withoutValues().getMessage()
                    : name;
        }
        String message = Platform.message(failure);
        return message == null || message.isEmpty()
                ? name
                : name + ": " + message.strip().lines().findFirst().orElse("");
    }

    /** True if the message may quote what was found in an object: messages tend to repeat that of their cause. */
    private static boolean hasMisfit(Throwable failure) {
        try {
            Throwable each = failure;
            for (int depth = 0; each != null && depth < CAUSES_MAX; depth++) {
                if (each instanceof BindingException) {
                    return true;
                }
                each = each.getCause();
            }
            return false;
        } catch (Throwable e) {
            // Of an exception that does not tell its cause.
            TaskEndError.letThrough(e);
            return true;
        }
    }
}
