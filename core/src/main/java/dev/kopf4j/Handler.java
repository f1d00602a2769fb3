package dev.kopf4j;

import org.jspecify.annotations.Nullable;

/** A handler in the style without annotations. It is called on a virtual thread of its own, so it may block. */
@FunctionalInterface
public interface Handler {
    /**
     * Handles what happened to an object.
     *
     * @return a result to be stored in {@code status.<id>}: a mapping, record or bean is merged there, other values are
     *     set; null for none
     * @throws Exception as in annotated methods: {@link TemporaryException}, {@link PermanentException}, or anything
     *     else
     */
    @Nullable Object handle(HandlerContext context) throws Exception;
}
