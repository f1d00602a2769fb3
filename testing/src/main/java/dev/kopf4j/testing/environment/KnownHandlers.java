package dev.kopf4j.testing.environment;

import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.registration.RegistryBuilder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** The handlers of the operators that a test has started: one that none of them has is never called. Thread-safe. */
final class KnownHandlers {
    private final List<OperatorPlan> plans = new CopyOnWriteArrayList<>();

    /** An operator is started. */
    void add(OperatorPlan plan) {
        plans.add(plan);
    }

    /**
     * Refuses the id of a handler that no operator of the test has had, so that a handler that was renamed does not
     * count as one that was not called. Before the first start, nothing is known.
     *
     * @throws IllegalArgumentException if there is no such handler
     */
    void require(String id) {
        List<HandlerRegistry> registries = plans.stream()
                .map(plan -> RegistryBuilder.survey(plan.registrations(), OperatorMemos.type(plan.memo())))
                .toList();
        if (registries.isEmpty() || registries.stream().anyMatch(registry -> mayCall(registry, id))) {
            return;
        }
        boolean isOfActivity = registries.stream()
                .flatMap(registry -> registry.activities().stream())
                .anyMatch(activity -> activity.id().equals(id));
        if (isOfActivity) {
            throw new IllegalArgumentException("'" + id + "' is a handler of the operator's activities (@OnStartup,"
                    + " @OnCleanup and the like), whose calls are not recorded: look at what it does instead");
        }
        String present = registries.stream()
                .flatMap(registry -> registry.handlers().stream())
                .map(handler -> "'" + handler.id() + "'")
                .distinct()
                .collect(Collectors.joining(", "));
        throw new IllegalArgumentException("the operator has no handler '" + id + "', so it is never called; it has "
                + (present.isEmpty() ? "none" : present) + ". Was it renamed?");
    }

    /** Sub-handlers are known when they are called only. */
    private static boolean mayCall(HandlerRegistry registry, String id) {
        return registry.handlers().stream()
                .map(RegisteredHandler::id)
                .anyMatch(each -> id.equals(each) || id.startsWith(each + "/"));
    }
}
