package dev.kopf4j.engine.handling.change;

import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.runtime.Task;
import java.util.HashMap;
import java.util.Map;

/** The calls for one object that go on although they were interrupted. Confined to the object's worker. */
public final class OrphanedCalls {
    private final Map<String, Task> tasks = new HashMap<>();

    /** None. */
    public OrphanedCalls() {}

    void add(RegisteredHandler handler, Task task) {
        tasks.put(handler.id(), task);
    }

    /** True if an earlier call of the handler has not ended yet. */
    boolean has(RegisteredHandler handler) {
        tasks.values().removeIf(Task::isFinished);
        return tasks.containsKey(handler.id());
    }

    /** True if no call goes on. */
    public boolean isEmpty() {
        tasks.values().removeIf(Task::isFinished);
        return tasks.isEmpty();
    }
}
