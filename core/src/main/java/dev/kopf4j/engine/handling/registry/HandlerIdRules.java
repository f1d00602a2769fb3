package dev.kopf4j.engine.handling.registry;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.persistence.progress.ProgressStorage;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** Refuses ids under which no progress could be stored: their objects would be handled again and again. Pure. */
public final class HandlerIdRules {
    private static final Set<HandlerKind> WITHOUT_RECORDS =
            EnumSet.complementOf(EnumSet.range(HandlerKind.RESUME, HandlerKind.FIELD));

    private HandlerIdRules() {}

    /**
     * Checks the ids of all handlers that keep their progress on the object.
     *
     * @throws HandlerDeclarationException with the handler, what is wrong with its id, and the way out
     */
    public static void check(Collection<RegisteredHandler> handlers, ProgressStorage storage) {
        handlers.stream()
                .filter(handler -> !WITHOUT_RECORDS.contains(handler.kind()))
                .forEach(handler -> check(handler, storage));
    }

    /**
     * Checks the id of one handler, which may be a sub-handler.
     *
     * @throws HandlerDeclarationException with the handler, what is wrong with its id, and the way out
     */
    public static void check(RegisteredHandler handler, ProgressStorage storage) {
        storage.problem(handler.id()).ifPresent(problem -> {
            throw new HandlerDeclarationException(handler.kind().annotation() + " handler '" + handler.id()
                    + "': its progress cannot be stored under this id, as " + problem
                    + ". Give the handler another id, or keep the progress in the status"
                    + " (settings.persistence().progressStorage(ProgressStore.status())).");
        });
    }
}
