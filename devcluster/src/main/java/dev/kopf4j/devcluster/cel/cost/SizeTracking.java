package dev.kopf4j.devcluster.cel.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.kopf4j.devcluster.cel.cost.LocalVariables.Local;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the values of an expression's parts come from, and how big they are; {@code checker/cost.go} of cel-go, v0.23.
 * Used for one expression, while its parts are visited.
 */
final class SizeTracking {
    private static final Set<String> ACCUMULATORS = Set.of("__result__", "@result");
    final LocalVariables variables = new LocalVariables();
    private final CelAbstractSyntaxTree tree;
    private final SizeSource source;
    private final Map<Long, FieldPath> paths = new HashMap<>();
    private final Map<Long, Estimate> sizes = new HashMap<>();
    private final Map<Long, EntrySize> entries = new HashMap<>();

    SizeTracking(CelAbstractSyntaxTree tree, SizeSource source) {
        this.tree = tree;
        this.source = source;
    }

    CelType type(CelExpr part) {
        return tree.getType(part.id()).orElse(SimpleType.DYN);
    }

    Operand operand(CelExpr part) {
        List<String> path = path(part).steps();
        boolean accumulates = !path.isEmpty() && ACCUMULATORS.contains(path.getFirst());
        return new Operand(accumulates ? List.of() : path, type(part), sizeOrUnknown(part), number(part), source);
    }

    private static @Nullable Long number(CelExpr part) {
        return part.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                        && part.constant().getKind() == CelConstant.Kind.INT64_VALUE
                ? part.constant().int64Value()
                : null;
    }

    FieldPath path(CelExpr part) {
        if (part.getKind() == CelExpr.ExprKind.Kind.IDENT) {
            Local local = variables.find(part.ident().name());
            if (local != null) {
                return local.path();
            }
        }
        return paths.getOrDefault(part.id(), FieldPath.NONE);
    }

    void setPath(CelExpr part, FieldPath path) {
        paths.put(part.id(), path);
    }

    /** Says that a part's value is in another's, as its field, its element, or its key. */
    void setPath(CelExpr part, CelExpr container, String step) {
        setPath(part, path(container).then(step));
    }

    /** Introduces a variable with the value of a part. */
    void push(String name, CelExpr value) {
        variables.push(name, new Local(path(value), size(value), entries(value)));
    }

    void setSize(CelExpr part, @Nullable Estimate size) {
        if (size != null) {
            sizes.put(part.id(), size);
        }
    }

    void setEntries(CelExpr part, @Nullable EntrySize size) {
        if (size != null) {
            entries.put(part.id(), size);
        }
    }

    void copy(CelExpr to, CelExpr from) {
        setSize(to, size(from));
        setEntries(to, entries(from));
    }

    Estimate sizeOrUnknown(CelExpr part) {
        Estimate size = size(part);
        return size == null ? Estimate.UNKNOWN : size;
    }

    @Nullable Estimate size(CelExpr part) {
        Estimate known = sizes.get(part.id());
        if (known == null) {
            known = literalSize(part);
        }
        if (known != null) {
            return known;
        }
        FieldPath path = path(part);
        Estimate declared = path.isEmpty() ? null : source.sizeOf(path.steps()).orElse(null);
        if (declared != null) {
            sizes.put(part.id(), declared);
            return declared;
        }
        if (isScalar(type(part))) {
            return Estimate.ONE;
        }
        Local local = local(part);
        return local == null ? null : local.size();
    }

    @Nullable EntrySize entries(CelExpr part) {
        EntrySize known = entries.get(part.id());
        if (known != null) {
            return known;
        }
        Local local = local(part);
        return local == null ? null : local.entries();
    }

    private @Nullable Local local(CelExpr part) {
        return part.getKind() == CelExpr.ExprKind.Kind.IDENT
                ? variables.find(part.ident().name())
                : null;
    }

    private static @Nullable Estimate literalSize(CelExpr part) {
        return switch (part.getKind()) {
            case CONSTANT -> Estimate.fixed(lengthOf(part.constant()));
            case LIST -> Estimate.fixed(part.list().elements().size());
            case MAP -> Estimate.fixed(part.map().entries().size());
            default -> null;
        };
    }

    private static long lengthOf(CelConstant constant) {
        return switch (constant.getKind()) {
            case STRING_VALUE ->
                constant.stringValue().codePointCount(0, constant.stringValue().length());
            case BYTES_VALUE -> constant.bytesValue().size();
            default -> 1;
        };
    }

    private static boolean isScalar(CelType type) {
        return switch (type.kind()) {
            case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
            case OPAQUE ->
                type.name().equals("optional_type")
                        && isScalar(type.parameters().getFirst());
            default -> false;
        };
    }
}
