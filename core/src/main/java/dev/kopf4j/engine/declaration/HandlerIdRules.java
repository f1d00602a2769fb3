package dev.kopf4j.engine.declaration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.persistence.progress.ProgressStorage;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Refuses ids under which no progress could be stored: their objects would be handled again and again. Pure. */
public final class HandlerIdRules {
    private static final Set<HandlerKind> WITHOUT_RECORDS =
            EnumSet.complementOf(EnumSet.range(HandlerKind.RESUME, HandlerKind.FIELD));

    private HandlerIdRules() {}

    /**
     * Checks that each webhook has a name and a path of its own.
     *
     * @throws HandlerDeclarationException with both handlers, what they would share, and the way out
     */
    public static void checkWebhooks(Collection<RegisteredHandler> handlers) {
        Map<String, String> ids = new HashMap<>();
        for (RegisteredHandler handler : handlers) {
            String other = ids.putIfAbsent(WebhookName.path(handler.id()), handler.id());
            if (other != null && !other.equals(handler.id())) {
                throw new HandlerDeclarationException("the admission handlers '" + other + "' and '" + handler.id()
                        + "' become one webhook, '" + WebhookName.path(handler.id())
                        + "', as the API server takes no capital letters and underscores there. Give one of them"
                        + " another id");
            }
        }
    }

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
