package dev.kopf4j.devcluster.cel;

import com.google.protobuf.NullValue;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.kopf4j.devcluster.cel.library.AuthorizerTypes;
import dev.kopf4j.devcluster.cel.library.CelAuthorizer;
import dev.kopf4j.devcluster.json.Json;
import java.io.Serial;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Evaluates the expressions of an admission policy for one operation: {@code pkg/admission/plugin/cel/condition.go} and
 * {@code pkg/admission/plugin/webhook/matchconditions/matcher.go} of the apiserver library, v1.33. Used by one thread.
 */
public final class PolicyExpressions {
    private static final Map<String, CelType> NAMES = names();
    private static final Programs CONDITIONS = Programs.of(NAMES, SimpleType.BOOL);
    private static final Programs VALUES = Programs.of(NAMES, SimpleType.DYN);
    private final Map<String, Object> values = new HashMap<>();

    private static Map<String, CelType> names() {
        Map<String, CelType> names = Stream.of(
                        "object", "oldObject", "request", "params", "namespaceObject", "variables")
                .collect(Collectors.toMap(name -> name, name -> SimpleType.DYN));
        names.put("authorizer", AuthorizerTypes.AUTHORIZER);
        names.put("authorizer.requestResource", AuthorizerTypes.RESOURCE_CHECK);
        return Map.copyOf(names);
    }

    /** An expression that could not be evaluated; the message is that for clients. */
    public static final class Failed extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        Failed(String message) {
            super(message);
        }
    }

    /**
     * Binds the names that expressions know.
     *
     * @param named JSON by its name; a missing node is null in expressions
     * @param requested the resource of the request, and what its user may do
     * @param variables the variables of the policy, each with a name and an expression
     */
    public PolicyExpressions(Map<String, JsonNode> named, CelAuthorizer.ResourceCheck requested, JsonNode variables) {
        named.forEach((name, node) -> values.put(name, CelValues.plain(node)));
        values.put("authorizer", requested.authorizer());
        values.put("authorizer.requestResource", requested);
        PolicyVariables found = new PolicyVariables();
        values.put("variables", found);
        for (JsonNode variable : variables) {
            String name = Json.string(variable, "name");
            try {
                found.set(name, evaluate(VALUES, Json.string(variable, "expression")));
            } catch (Failed e) {
                found.fail(name, String.valueOf(e.getMessage()));
            }
        }
    }

    /** Whether an expression is true. */
    public boolean holds(String expression) throws Failed {
        return Boolean.TRUE.equals(evaluate(CONDITIONS, expression));
    }

    /** Whether all conditions are true. One that is false outweighs those that fail. */
    public boolean allHold(JsonNode conditions) throws Failed {
        List<String> failures = new ArrayList<>();
        for (JsonNode condition : conditions) {
            try {
                if (!holds(Json.string(condition, "expression"))) {
                    return false;
                }
            } catch (Failed e) {
                failures.add(String.valueOf(e.getMessage()));
            }
        }
        if (!failures.isEmpty()) {
            throw new Failed(failures.size() == 1 ? failures.getFirst() : failures.toString());
        }
        return true;
    }

    /**
     * The text that an expression gives; nothing if it gives null or blanks.
     *
     * @throws Failed if it fails, or gives something else
     */
    public Optional<String> annotation(String expression) throws Failed {
        return switch (evaluate(VALUES, expression)) {
            case String text -> Optional.of(text.strip()).filter(value -> !value.isEmpty());
            case NullValue _ -> Optional.empty();
            default ->
                throw new Failed("valueExpression '" + expression
                        + "' resulted in unsupported return type. Return type must be either string or null.");
        };
    }

    /** The text that an expression gives; nothing if it fails, or gives something else. */
    public Optional<String> text(String expression) {
        try {
            return evaluate(VALUES, expression) instanceof String text ? Optional.of(text) : Optional.empty();
        } catch (Failed e) {
            return Optional.empty();
        }
    }

    private Object evaluate(Programs programs, String expression) throws Failed {
        try {
            return programs.of(expression).eval(values);
        } catch (CelValidationException e) {
            throw new Failed("compilation error: compilation failed: " + e.getMessage());
        } catch (CelEvaluationException | PolicyVariables.FailedVariable e) {
            throw new Failed("expression '" + expression + "' resulted in error: " + EvaluationProblem.of(e));
        }
    }

    /** The compiled expressions of one type. Thread-safe. */
    record Programs(CelCompiler compiler, Map<String, CelRuntime.Program> compiled) {
        private static final int MAX = 1000;

        static Programs of(Map<String, CelType> names, CelType type) {
            return new Programs(CelEngine.compiler(names, Map.of(), type), new ConcurrentHashMap<>());
        }

        CelRuntime.Program of(String expression) throws CelValidationException {
            CelRuntime.Program present = compiled.get(expression);
            if (present != null) {
                return present;
            }
            if (compiled.size() >= MAX) {
                compiled.clear();
            }
            CelRuntime.Program made = CelEngine.program(compiler, expression);
            compiled.put(expression, made);
            return made;
        }
    }

    /**
     * The variables of a policy by their names; one that could not be evaluated fails the expression that asks for it:
     * {@code pkg/admission/plugin/cel/composition.go} of the apiserver library, v1.33.
     */
    private static final class PolicyVariables extends AbstractMap<String, Object> {
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
}
