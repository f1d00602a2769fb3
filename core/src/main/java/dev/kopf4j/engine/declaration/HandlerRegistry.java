package dev.kopf4j.engine.declaration;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.conversion.ConversionFunction;
import dev.kopf4j.json.FieldPath;
import java.util.List;
import java.util.stream.Stream;

/**
 * All handlers of an operator, in the order of their registration. Immutable.
 *
 * @param handlers the handlers of objects
 * @param activities the handlers of the operator's activities
 * @param conversions the functions that convert objects from version to version
 */
public record HandlerRegistry(
        List<RegisteredHandler> handlers, List<RegisteredActivity> activities, List<ConversionFunction> conversions) {
    /** Copies the lists. */
    public HandlerRegistry {
        handlers = List.copyOf(handlers);
        activities = List.copyOf(activities);
        conversions = List.copyOf(conversions);
    }

    /** Without any activities and conversions. */
    public HandlerRegistry(List<RegisteredHandler> handlers) {
        this(handlers, List.of(), List.of());
    }

    /** Those alone that say which children there ought to be, and the indices that they may look at. */
    public HandlerRegistry ofDesiredChildren() {
        return new HandlerRegistry(handlers.stream()
                .filter(handler -> handler.kind() == HandlerKind.RECONCILE || handler.kind() == HandlerKind.INDEX)
                .toList());
    }

    /** The handlers that objects are watched for: all but those of admission. */
    public List<RegisteredHandler> watching() {
        return handlers.stream()
                .filter(handler -> !handler.kind().isAdmission())
                .toList();
    }

    /** The handlers that the API server asks before it stores anything. */
    public List<RegisteredHandler> admission() {
        return handlers.stream().filter(handler -> handler.kind().isAdmission()).toList();
    }

    /** True if the API server asks the operator for anything. */
    public boolean hasWebhooks() {
        return !admission().isEmpty() || !conversions.isEmpty();
    }

    /** True if the field of a handler is that one, or within it, or around it. */
    public boolean looksAt(FieldPath field) {
        return handlers.stream()
                .map(RegisteredHandler::field)
                .filter(each -> !each.keys().isEmpty())
                .anyMatch(each -> each.startsWith(field) || field.startsWith(each));
    }

    /** The selectors of all handlers. */
    public List<ResourceSelector> selectors() {
        return selectors(handlers);
    }

    /** The selectors of the handlers that objects are watched for. */
    public List<ResourceSelector> watchingSelectors() {
        return selectors(watching());
    }

    private static List<ResourceSelector> selectors(List<RegisteredHandler> handlers) {
        return handlers.stream()
                .flatMap(handler -> Stream.concat(
                        Stream.of(handler.declaration().selector()), handler.declaration().children().stream()))
                .distinct()
                .toList();
    }

    /** The handlers of parents that are about children of one resource. */
    public List<RegisteredHandler> ofChildren(Resource resource) {
        return handlers.stream()
                .filter(handler -> handler.declaration().concernsChildren(resource))
                .toList();
    }

    /** The handlers of parents that are about children with that selector. */
    public List<RegisteredHandler> ofChildren(ResourceSelector selector) {
        return handlers.stream()
                .filter(handler -> handler.declaration().children().contains(selector))
                .toList();
    }

    /** True if there are handlers that are about children. */
    public boolean watchesChildren() {
        return handlers.stream().anyMatch(handler -> handler.kind().isOfChildren());
    }

    /** The handlers of one resource that its objects are watched for. */
    public ResourceHandlers of(Resource resource) {
        return ResourceHandlers.of(watching(resource));
    }

    /** The same in one list. */
    public List<RegisteredHandler> watching(Resource resource) {
        return watching().stream()
                .filter(handler -> handler.declaration().selector().matches(resource))
                .toList();
    }

    /** The handlers with that selector that objects are watched for. */
    public List<RegisteredHandler> watching(ResourceSelector selector) {
        return watching().stream()
                .filter(handler -> handler.declaration().selector().equals(selector))
                .toList();
    }
}
