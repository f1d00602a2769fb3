package dev.kopf4j.devcluster.cel.cost;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The variables that comprehensions introduce; inner ones hide outer ones of the same name. */
final class LocalVariables {
    /** A variable, with what is known of its value. */
    record Local(
            FieldPath path,
            @Nullable Estimate size,
            @Nullable EntrySize entries) {}

    private final Map<String, Deque<Local>> scopes = new HashMap<>();

    void push(String name, Local local) {
        scopes.computeIfAbsent(name, key -> new ArrayDeque<>()).push(local);
    }

    void pop(String name) {
        Objects.requireNonNull(scopes.get(name)).pop();
    }

    /** The innermost variable of a name; null if there is none. */
    @Nullable Local find(String name) {
        Deque<Local> scope = scopes.get(name);
        return scope == null ? null : scope.peek();
    }
}
