package dev.kopf4j.devcluster.cel.cost;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelKind;
import dev.kopf4j.devcluster.cel.cost.LocalVariables.Local;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Estimates what an expression costs; {@code checker/cost.go} of cel-go, v0.23, with the options of
 * {@code pkg/cel/environment/base.go} of the apiserver library, v1.33: asking whether a field is there costs nothing.
 * Used for one expression.
 */
public final class ExpressionCost {
    private static final Estimate MAKES_LIST = Estimate.fixed(10);
    private static final Estimate MAKES_MAP = Estimate.fixed(30);
    private static final Estimate MAKES_STRUCT = Estimate.fixed(40);
    private final SizeTracking sizes;
    private final CallCosts calls;

    private ExpressionCost(CelAbstractSyntaxTree tree, SizeSource source) {
        this.sizes = new SizeTracking(tree, source);
        this.calls = new CallCosts(
                sizes,
                this::cost,
                part -> tree.getReference(part.id())
                        .map(CelReference::overloadIds)
                        .orElse(ImmutableList.of()));
    }

    /** The range of costs of a checked expression. */
    public static Estimate of(CelAbstractSyntaxTree tree, SizeSource source) {
        return new ExpressionCost(tree, source).cost(tree.getExpr());
    }

    private Estimate cost(CelExpr part) {
        return switch (part.getKind()) {
            case IDENT -> ident(part);
            case SELECT -> select(part);
            case CALL -> calls.of(part);
            case LIST -> list(part);
            case MAP -> map(part);
            case STRUCT ->
                part.struct().entries().stream()
                        .map(entry -> cost(entry.value()))
                        .reduce(MAKES_STRUCT, Estimate::plus);
            case COMPREHENSION ->
                isBinding(part.comprehension()) ? binding(part) : new ComprehensionCost(sizes, this::cost).of(part);
            default -> Estimate.ZERO;
        };
    }

    private Estimate ident(CelExpr part) {
        String name = part.ident().name();
        LocalVariables.Local local = sizes.variables.find(name);
        sizes.setPath(part, local == null ? FieldPath.of(name) : local.path());
        return Estimate.ONE;
    }

    private Estimate select(CelExpr part) {
        CelSelect select = part.select();
        Estimate operand = cost(select.operand());
        if (select.testOnly()) {
            return operand;
        }
        sizes.setPath(part, select.operand(), select.field());
        return switch (sizes.type(select.operand()).kind()) {
            case MAP, STRUCT, TYPE_PARAM -> operand.plus(Estimate.ONE);
            default -> operand;
        };
    }

    private Estimate list(CelExpr part) {
        Estimate sum = MAKES_LIST;
        @Nullable Estimate elements = null;
        for (CelExpr element : part.list().elements()) {
            sum = sum.plus(cost(element));
            Estimate size = sizes.sizeOrUnknown(element);
            elements = elements == null ? size : elements.union(size);
        }
        sizes.setEntries(part, new EntrySize(true, Estimate.ONE, elements == null ? Estimate.ZERO : elements));
        return sum;
    }

    private Estimate map(CelExpr part) {
        Estimate sum = MAKES_MAP;
        @Nullable EntrySize entries = null;
        for (CelExpr.CelMap.Entry entry : part.map().entries()) {
            sum = sum.plus(cost(entry.key())).plus(cost(entry.value()));
            EntrySize size = new EntrySize(false, sizes.sizeOrUnknown(entry.key()), sizes.sizeOrUnknown(entry.value()));
            entries = entries == null ? size : EntrySize.union(entries, size);
        }
        sizes.setEntries(part, entries == null ? new EntrySize(false, Estimate.ZERO, Estimate.ZERO) : entries);
        return sum;
    }

    /** A variable that a macro binds is written as a loop that never runs. */
    private static boolean isBinding(CelComprehension loop) {
        CelExpr condition = loop.loopCondition();
        return loop.iterRange().getKind() == CelExpr.ExprKind.Kind.LIST
                && loop.iterRange().list().elements().isEmpty()
                && condition.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && condition.constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
                && !condition.constant().booleanValue()
                && !loop.accuVar().equals("__result__");
    }

    private Estimate binding(CelExpr part) {
        CelComprehension loop = part.comprehension();
        Estimate before = cost(loop.iterRange()).plus(cost(loop.accuInit()));
        sizes.push(loop.accuVar(), loop.accuInit());
        Estimate cost = before.plus(cost(loop.result()));
        sizes.variables.pop(loop.accuVar());
        sizes.copy(part, loop.result());
        return cost;
    }

    /**
     * What a loop costs: its step and its condition for each element; {@code checker/cost.go} of cel-go, v0.23.
     *
     * @param costs the costs of parts
     */
    private record ComprehensionCost(SizeTracking sizes, Function<CelExpr, Estimate> costs) {
        Estimate of(CelExpr part) {
            CelComprehension loop = part.comprehension();
            Estimate cost = costs.apply(loop.iterRange()).plus(costs.apply(loop.accuInit()));
            sizes.push(loop.accuVar(), loop.accuInit());
            Estimate each = step(loop);
            cost = cost.plus(costs.apply(loop.result()));
            sizes.variables.pop(loop.accuVar());
            Estimate count = sizes.sizeOrUnknown(loop.iterRange());
            switch (loop.accuInit().getKind()) {
                case CONSTANT -> sizes.setSize(part, sizes.size(loop.accuInit()));
                case LIST, MAP -> {
                    sizes.setSize(part, count);
                    sizes.setEntries(part, sizes.entries(loop.loopStep()));
                }
                default -> {} // nothing is known of other results
            }
            return cost.plus(count.times(each));
        }

        private Estimate step(CelComprehension loop) {
            boolean two = !loop.iterVar2().isEmpty();
            CelExpr range = loop.iterRange();
            EntrySize entries = sizes.entries(range);
            boolean list = entries == null ? sizes.type(range).kind() == CelKind.LIST : entries.list();
            @Nullable Estimate keys = entries == null ? null : entries.key();
            @Nullable Estimate values = entries == null ? null : entries.value();
            if (two) {
                push(loop.iterVar(), range, list ? "@indices" : "@keys", keys);
                push(loop.iterVar2(), range, list ? "@items" : "@values", values);
            } else {
                push(loop.iterVar(), range, list ? "@items" : "@keys", list ? values : keys);
            }
            Estimate cost = costs.apply(loop.loopCondition()).plus(costs.apply(loop.loopStep()));
            sizes.variables.pop(loop.iterVar());
            if (two) {
                sizes.variables.pop(loop.iterVar2());
            }
            return cost;
        }

        private void push(String variable, CelExpr range, String step, @Nullable Estimate size) {
            sizes.variables.push(variable, new Local(sizes.path(range).then(step), size, null));
        }
    }
}
