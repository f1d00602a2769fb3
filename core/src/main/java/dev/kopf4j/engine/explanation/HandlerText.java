package dev.kopf4j.engine.explanation;

import dev.kopf4j.engine.handling.declaration.MetadataFilter;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Handlers in words for people. Pure. */
final class HandlerText {
    private HandlerText() {}

    /** All that need a stream, in their order: {@code @OnCreate 'make' (of objects with the labels app=web)}. */
    static List<String> of(List<RegisteredHandler> handlers) {
        return handlers.stream().map(HandlerText::of).toList();
    }

    /** The same, then those that are about the objects as children of others. */
    static List<String> of(List<RegisteredHandler> handlers, List<RegisteredHandler> ofChildren) {
        return Stream.concat(
                        of(handlers).stream(),
                        ofChildren.stream()
                                .map(handler -> of(handler) + ", for children of "
                                        + handler.declaration().selector()))
                .toList();
    }

    private static String of(RegisteredHandler handler) {
        String text = handler.kind().annotation() + " '" + handler.id() + "'";
        List<MetadataFilter> labels = handler.declaration().labels();
        return labels.isEmpty()
                ? text
                : text
                        + labels.stream()
                                .map(MetadataFilter::toSelector)
                                .collect(Collectors.joining(",", " (of objects with the labels ", ")"));
    }

    /** True if one of the handlers needs the operator to write into the objects. */
    static boolean write(List<RegisteredHandler> handlers) {
        return handlers.stream().anyMatch(RegisteredHandler::writesProgress);
    }
}
