package dev.kopf4j;

import org.jspecify.annotations.Nullable;

/**
 * A handler of an activity in the style without annotations. It is called on a virtual thread of its own, so it may
 * block.
 */
@FunctionalInterface
public interface ActivityHandler {
    /**
     * Does its part of the activity.
     *
     * @return the credentials, in login handlers; what is to be shown, in probes; else it does not matter
     * @throws Exception as in annotated methods: {@link TemporaryException}, {@link PermanentException}, or anything
     *     else
     */
    @Nullable Object handle(ActivityContext context) throws Exception;
}
