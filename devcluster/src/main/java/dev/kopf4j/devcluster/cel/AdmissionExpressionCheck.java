package dev.kopf4j.devcluster.cel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.compiler.CelCompiler;
import dev.kopf4j.devcluster.cel.library.AuthorizerTypes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    /**
     * The types of what expressions see of a request: {@code BuildRequestType} and {@code BuildNamespaceType} in
     * {@code pkg/admission/plugin/cel/compile.go} of the apiserver library, v1.33. Objects have no types there.
     */
    private static final class AdmissionTypes {
        private static final CelType TEXT = SimpleType.STRING;
        private static final CelType TEXTS = ListType.create(TEXT);
        private static final CelType TEXT_MAP = MapType.create(TEXT, TEXT);

        private final Map<String, CelType> named = new HashMap<>();

        /** All struct types by their names. */
        Map<String, CelType> named() {
            return named;
        }

        /** The names that all expressions know. */
        Map<String, CelType> names() {
            return Map.of(
                    "object",
                    SimpleType.DYN,
                    "oldObject",
                    SimpleType.DYN,
                    "request",
                    request(),
                    "namespaceObject",
                    namespace());
        }

        private CelType request() {
            CelType kind = struct("kubernetes.GroupVersionKind", Map.of("group", TEXT, "version", TEXT, "kind", TEXT));
            CelType resource =
                    struct("kubernetes.GroupVersionResource", Map.of("group", TEXT, "version", TEXT, "resource", TEXT));
            CelType user = struct(
                    "kubernetes.UserInfo",
                    Map.of("username", TEXT, "uid", TEXT, "groups", TEXTS, "extra", MapType.create(TEXT, TEXTS)));
            Map<String, CelType> fields = new HashMap<>(Map.of(
                    "kind", kind,
                    "resource", resource,
                    "subResource", TEXT,
                    "requestKind", kind,
                    "requestResource", resource,
                    "requestSubResource", TEXT));
            fields.putAll(Map.of(
                    "name", TEXT,
                    "namespace", TEXT,
                    "operation", TEXT,
                    "userInfo", user,
                    "dryRun", SimpleType.BOOL,
                    "options", SimpleType.DYN));
            return struct("kubernetes.AdmissionRequest", fields);
        }

        private CelType namespace() {
            CelType condition = struct(
                    "kubernetes.NamespaceCondition",
                    Map.of(
                            "status", TEXT,
                            "type", TEXT,
                            "lastTransitionTime", SimpleType.TIMESTAMP,
                            "message", TEXT,
                            "reason", TEXT));
            CelType status = struct(
                    "kubernetes.NamespaceStatus", Map.of("conditions", ListType.create(condition), "phase", TEXT));
            CelType spec = struct("kubernetes.NamespaceSpec", Map.of("finalizers", TEXTS));
            return struct(
                    "kubernetes.Namespace", Map.of("metadata", namespaceMetadata(), "spec", spec, "status", status));
        }

        private CelType namespaceMetadata() {
            Map<String, CelType> fields = new HashMap<>(Map.of(
                    "name", TEXT,
                    "generateName", TEXT,
                    "namespace", TEXT,
                    "labels", TEXT_MAP,
                    "annotations", TEXT_MAP,
                    "UID", TEXT));
            fields.putAll(Map.of(
                    "creationTimestamp", SimpleType.TIMESTAMP,
                    "deletionGracePeriodSeconds", SimpleType.INT,
                    "deletionTimestamp", SimpleType.TIMESTAMP,
                    "generation", SimpleType.INT,
                    "resourceVersion", TEXT,
                    "finalizers", TEXTS));
            return struct("kubernetes.NamespaceMetadata", fields);
        }

        /** A type with these fields and no others. */
        CelType struct(String name, Map<String, CelType> fields) {
            ImmutableMap<String, CelType> fixed = ImmutableMap.copyOf(fields);
            StructType type = StructType.create(
                    name, ImmutableSet.copyOf(fixed.keySet()), field -> Optional.ofNullable(fixed.get(field)));
            named.put(name, type);
            return type;
        }
    }
}
