package dev.kopf4j.engine.handling;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.json.FieldPath;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The handlers of one resource, in the order of their registration. Immutable.
 *
 * @param indices index functions
 * @param events handlers of raw events
 * @param changes handlers of changes, of all reasons
 * @param fields the fields that they look at: part of the essence, wherever they are
 */
public record ResourceHandlers(
        List<RegisteredHandler> indices,
        List<RegisteredHandler> events,
        List<RegisteredHandler> changes,
        Set<FieldPath> fields) {
    static ResourceHandlers of(List<RegisteredHandler> handlers) {
        return new ResourceHandlers(
                handlers.stream()
                        .filter(each -> each.kind() == HandlerKind.INDEX)
                        .toList(),
                handlers.stream()
                        .filter(each -> each.kind() == HandlerKind.EVENT)
                        .toList(),
                handlers.stream()
                        .filter(each -> each.kind() != HandlerKind.EVENT && each.kind() != HandlerKind.INDEX)
                        .toList(),
                handlers.stream()
                        .filter(each -> each.kind() != HandlerKind.INDEX)
                        .map(RegisteredHandler::field)
                        .filter(field -> !field.keys().isEmpty())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * True if nobody but handlers of changes is there: a state that has nothing for them need not be looked at. All
     * others want to know each state, or what is newest.
     */
    public boolean onlyChanges() {
        return events.isEmpty() && indices.isEmpty();
    }
}
