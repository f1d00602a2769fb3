package dev.kopf4j.devcluster.cel.cost;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What calls cost with their arguments; {@code checker/cost.go} of cel-go, v0.23. If several overloads are possible,
 * the range covers all.
 *
 * @param costs the costs of parts
 * @param overloads which functions a call can mean
 */
record CallCosts(SizeTracking sizes, Function<CelExpr, Estimate> costs, Function<CelExpr, List<String>> overloads) {
    Estimate of(CelExpr part) {
        CelCall call = part.call();
        if (call.function().equals("dyn")) {
            Estimate cost = costs.apply(call.args().getFirst());
            sizes.copy(part, call.args().getFirst());
            return cost.plus(Estimate.ONE);
        }
        List<Estimate> arguments = new ArrayList<>();
        List<Operand> operands = new ArrayList<>();
        for (CelExpr argument : call.args()) {
            arguments.add(costs.apply(argument));
            operands.add(sizes.operand(argument));
        }
        Estimate target = call.target().map(costs).orElse(Estimate.ZERO);
        Optional<Operand> targetOperand = call.target().map(sizes::operand);
        Estimate cost = null;
        Estimate result = null;
        for (String overload : overloads.apply(part)) {
            Call each = new Call(call.function(), overload, targetOperand, operands);
            CallCost own = cost(part, each, arguments);
            cost = cost == null ? own.cost() : cost.union(own.cost());
            result = union(result, own.result().orElse(null));
            result = ofElement(part, overload, result);
        }
        if (cost == null) {
            return Estimate.ZERO;
        }
        sizes.setSize(part, result);
        return target.plus(cost);
    }

    private static @Nullable Estimate union(@Nullable Estimate left, @Nullable Estimate right) {
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        return left.union(right);
    }

    /** What is taken from a list or a map has the size of its elements. */
    private @Nullable Estimate ofElement(CelExpr part, String overload, @Nullable Estimate result) {
        Estimate size = result;
        if (overload.equals("index_list") || overload.equals("index_map")) {
            CelExpr container = part.call().args().getFirst();
            EntrySize entries = sizes.entries(container);
            size = entries == null ? null : entries.value();
            sizes.setPath(part, container, overload.equals("index_list") ? "@items" : "@values");
        }
        return size == null ? sizes.size(part) : size;
    }

    private CallCost cost(CelExpr part, Call call, List<Estimate> arguments) {
        switch (call.overload()) {
            case "logical_or", "logical_and" -> {
                Estimate both = arguments.get(0).plus(arguments.get(1));
                return CallCost.of(new Estimate(arguments.get(0).min(), both.max()));
            }
            case "conditional" -> {
                List<CelExpr> parts = part.call().args();
                sizes.setEntries(part, EntrySize.union(sizes.entries(parts.get(1)), sizes.entries(parts.get(2))));
                return CallCost.of(
                        arguments.get(0).plus(arguments.get(1).union(arguments.get(2))),
                        call.argument(1).size().union(call.argument(2).size()));
            }
            case "add_string", "add_bytes", "add_list" -> {
                List<CelExpr> parts = part.call().args();
                sizes.setEntries(part, EntrySize.union(sizes.entries(parts.get(0)), sizes.entries(parts.get(1))));
            }
            default -> {} // sizes of entries matter for operators only
        }
        CallCost own = KubernetesCosts.of(call).orElseGet(() -> StandardCosts.of(call));
        Estimate all = arguments.stream().reduce(own.cost(), Estimate::plus);
        return new CallCost(all, own.result());
    }
}
