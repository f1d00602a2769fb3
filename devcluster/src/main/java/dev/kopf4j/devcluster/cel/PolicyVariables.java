package dev.kopf4j.devcluster.cel;

import java.io.Serial;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a policy by their names; one that could not be evaluated fails the expression that asks for it:
 * {@code pkg/admission/plugin/cel/composition.go} of the apiserver library, v1.33.
 */
final class PolicyVariables extends AbstractMap<String, Object> {
    private final Map<String, Object> values = new HashMap<>();
    private final Map<String, String> failures = new HashMap<>();

    /** An expression has asked for a variable that could not be evaluated. */
    static final class FailedVariable extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        FailedVariable(String name, String failure) {
            super("composited variable \"" + name + "\" fails to evaluate: " + failure);
        }
    }

    void set(String name, Object value) {
        values.put(name, value);
    }

    void fail(String name, String failure) {
        failures.put(name, failure);
    }

    @Override
    public boolean containsKey(Object name) {
        return values.containsKey(name) || (name instanceof String text && failures.containsKey(text));
    }

    @Override
    public @Nullable Object get(Object name) {
        if (name instanceof String text) {
            String failure = failures.get(text);
            if (failure != null) {
                throw new FailedVariable(text, failure);
            }
        }
        return values.get(name);
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
        return values.entrySet();
    }
}
