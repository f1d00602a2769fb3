package dev.kopf4j;

/**
 * A handler that could be called now, as lifecycles see it. Immutable.
 *
 * @param id its id, with that of its parent in front of a sub-handler's
 * @param attempts how often it was called before for this change
 * @see HandlerLifecycle.Custom
 */
public record DueHandler(String id, int attempts) {}
