package dev.kopf4j.engine.call;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.runtime.Task;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The calls of an operator's handlers that go on although they were interrupted: as long as one does, its handler is
 * not called for the object again, whichever stream has the object by then, and of whichever version of its resource.
 * Thread-safe.
 */
public final class CallsLeftBehind {
    private final Map<Call, Task> calls = new ConcurrentHashMap<>();

    private record Call(String group, String plural, String uid, String handler) {
        static Call of(Resource resource, String uid, String handler) {
            return new Call(resource.group(), resource.plural(), uid, handler);
        }
    }

    /** Remembers a call that goes on. */
    public void add(Resource resource, String uid, RegisteredHandler handler, Task call) {
        calls.values().removeIf(Task::isFinished);
        calls.put(Call.of(resource, uid, handler.id()), call);
    }

    /** Whether a call of this handler goes on. */
    public boolean has(Resource resource, String uid, RegisteredHandler handler) {
        Task call = calls.isEmpty() ? null : calls.get(Call.of(resource, uid, handler.id()));
        return call != null && !call.isFinished();
    }

    /** The calls of the handlers of an object that go on. */
    public List<Task> of(Resource resource, String uid) {
        return calls.entrySet().stream()
                .filter(each -> each.getKey()
                        .equals(Call.of(resource, uid, each.getKey().handler())))
                .map(Map.Entry::getValue)
                .filter(call -> !call.isFinished())
                .toList();
    }
}
