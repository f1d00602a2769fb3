package dev.kopf4j.engine.declaration;

import dev.kopf4j.Activity;
import dev.kopf4j.ActivityHandler;
import dev.kopf4j.ErrorsMode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A handler of an activity as the engine knows it. Immutable.
 *
 * @param declaration what was declared
 * @param id what it is called
 * @param function the user's function
 */
public record RegisteredActivity(ActivityDeclaration declaration, String id, ActivityHandler function)
        implements Retryable {
    @Override
    public DeclaredOptions options() {
        return declaration.options();
    }

    @Override
    public ErrorsMode errors() {
        return Objects.requireNonNullElse(options().errors(), ErrorsMode.TEMPORARY);
    }

    /** As logs call it: {@code Activity 'configure'}. */
    @Override
    public String toString() {
        return "Activity '" + id + "'";
    }

    /**
     * What was declared of an activity's handler, in either style. Immutable.
     *
     * @param activity what it is a part of
     * @param id its id; null if it is to be the method's name
     * @param param a value for its parameter {@code param}
     * @param options how often it is called when it fails
     */
    public record ActivityDeclaration(
            Activity activity,
            @Nullable String id,
            @Nullable Object param,
            DeclaredOptions options) {}
}
