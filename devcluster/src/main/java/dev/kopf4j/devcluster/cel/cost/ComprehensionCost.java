package dev.kopf4j.devcluster.cel.cost;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.types.CelKind;
import dev.kopf4j.devcluster.cel.cost.LocalVariables.Local;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a loop costs: its step and its condition for each element; {@code checker/cost.go} of cel-go, v0.23.
 *
 * @param costs the costs of parts
 */
record ComprehensionCost(SizeTracking sizes, Function<CelExpr, Estimate> costs) {
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
