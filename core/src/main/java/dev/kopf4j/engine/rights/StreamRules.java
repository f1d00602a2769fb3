package dev.kopf4j.engine.rights;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Patch;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.orchestration.PlannedStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rights that a stream and its handlers need. Pure. */
final class StreamRules {
    private static final String[] TO_WATCH = {"list", "watch"};

    private StreamRules() {}

    static List<RequiredRule> of(PlannedStream stream) {
        return of(RightScope.of(stream.namespace()), stream.resource(), stream.handlers(), stream.ofChildren());
    }

    /**
     * The rights for a resource.
     *
     * @param ofChildren the handlers of other resources whose children are of this one
     */
    static List<RequiredRule> of(
            RightScope scope, Resource resource, List<RegisteredHandler> handlers, List<RegisteredHandler> ofChildren) {
        String all = reasons(Stream.concat(handlers.stream(), ofChildren.stream()));
        List<RequiredRule> rules = new ArrayList<>();
        rules.add(RequiredRule.of(scope, resource, all, TO_WATCH));
        List<RegisteredHandler> writing =
                handlers.stream().filter(StreamRules::writes).toList();
        if (!writing.isEmpty()) {
            RequiredRule patch = RequiredRule.of(scope, resource, reasons(writing.stream()), "patch");
            rules.add(patch);
            if (resource.subresources().contains("status")) {
                rules.add(patch.of("status"));
            }
        }
        List<RegisteredHandler> owning = handlers.stream()
                .filter(handler -> handler.kind() == HandlerKind.RECONCILE)
                .toList();
        if (!owning.isEmpty()) {
            rules.add(RequiredRule.of(scope, resource, reasons(owning.stream()), "update")
                    .of(RequiredRule.FINALIZERS));
        }
        List<RegisteredHandler> keeping = ofChildren.stream()
                .filter(handler -> handler.kind() == HandlerKind.RECONCILE)
                .toList();
        if (!keeping.isEmpty()) {
            rules.add(RequiredRule.of(scope, resource, reasons(keeping.stream()), "create", "patch", "delete"));
        }
        return rules;
    }

    /** True if the operator writes into the objects: progress, finalizer, or what a handler of events patches. */
    private static boolean writes(RegisteredHandler handler) {
        return handler.writesProgress()
                || (handler.kind() == HandlerKind.EVENT
                        && handler.function() instanceof List<?> parts
                        && parts.getLast() instanceof Method method
                        && Arrays.asList(method.getParameterTypes()).contains(Patch.class));
    }

    private static String reasons(Stream<RegisteredHandler> handlers) {
        return handlers.map(handler -> handler.kind().annotation() + " '" + handler.id() + "'")
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
