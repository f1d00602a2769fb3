package dev.kopf4j.devcluster.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.kopf4j.devcluster.cel.library.AuthorizerTypes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says what is wrong with the expressions of a policy or a webhook when these are written: {@code CompileCELExpression}
 * in {@code pkg/admission/plugin/cel/compile.go} and {@code CompileAndStoreVariable} in {@code composition.go} of the
 * apiserver library, v1.33. Used for one object.
 */
public final class AdmissionExpressionCheck {
    /** What an expression must give. */
    public enum Result {
        /** A condition. */
        BOOL(SimpleType.BOOL),
        /** A message. */
        TEXT(SimpleType.STRING),
        /** A value that may be missing. */
        TEXT_OR_NULL(SimpleType.STRING, SimpleType.NULL_TYPE),
        /** Whatever a variable is. */
        ANYTHING;

        private final ImmutableList<CelType> types;

        Result(CelType... types) {
            this.types = ImmutableList.copyOf(types);
        }

        private String problem(CelType found) {
            if (types.isEmpty() || types.contains(found)) {
                return "";
            }
            List<String> names = types.stream().map(CelTypes::format).toList();
            String wanted = names.size() == 1 ? names.getFirst() : "one of [" + String.join(" ", names) + "]";
            return "must evaluate to " + wanted + " but got " + CelTypes.format(found);
        }
    }

    private final boolean params;
    private final Map<String, CelType> variables = new HashMap<>();
    private boolean composed;

    /**
     * Knows no variables.
     *
     * @param params whether expressions may use {@code params}
     */
    public AdmissionExpressionCheck(boolean params) {
        this.params = params;
    }

    /** From now on expressions may use {@code variables}, of which there are none yet. */
    public void compose() {
        composed = true;
    }

    /**
     * What is wrong with an expression; empty if nothing is.
     *
     * @param authorizer whether it may use {@code authorizer}
     */
    public String problem(String expression, Result result, boolean authorizer) {
        try {
            return result.problem(type(expression, authorizer));
        } catch (CelValidationException e) {
            return "compilation failed: " + e.getMessage();
        }
    }

    /** The same of a variable, which later expressions may use. */
    public String variable(String name, String expression) {
        try {
            variables.put(name, type(expression, true));
            return "";
        } catch (CelValidationException e) {
            return "compilation failed: " + e.getMessage();
        }
    }

    private CelType type(String expression, boolean authorizer) throws CelValidationException {
        CelAbstractSyntaxTree checked = compiler(authorizer).compile(expression).getAst();
        return checked.getResultType();
    }

    private CelCompiler compiler(boolean authorizer) {
        AdmissionTypes types = new AdmissionTypes();
        Map<String, CelType> names = new HashMap<>(types.names());
        if (params) {
            names.put("params", SimpleType.DYN);
        }
        if (authorizer) {
            names.put("authorizer", AuthorizerTypes.AUTHORIZER);
            names.put("authorizer.requestResource", AuthorizerTypes.RESOURCE_CHECK);
        }
        if (composed) {
            names.put("variables", types.struct("kubernetes.variables", variables));
        }
        return CelEngine.compiler(names, types.named(), SimpleType.DYN);
    }
}
