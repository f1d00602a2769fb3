package dev.kopf4j.devcluster.cel.cost;

import dev.cel.common.types.CelType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The target or an argument of a call.
 *
 * @param path where its value comes from; empty if it is computed
 * @param size how big it is
 * @param number its value if it is an integer in the text of the expression; otherwise null
 * @param sizes knows the sizes of what is in it
 */
record Operand(
        List<String> path,
        CelType type,
        Estimate size,
        @Nullable Long number,
        SizeSource sizes) {
    /** What it costs to look at each of its characters once. */
    Estimate traversal() {
        return size.times(StandardCosts.PER_CHARACTER);
    }

    /** An element of it, or a key; empty if it has none. */
    Optional<Operand> element() {
        if (type.parameters().isEmpty()) {
            return Optional.empty();
        }
        List<String> below = new ArrayList<>(path);
        below.add("@items");
        Estimate each = path.isEmpty() ? Estimate.UNKNOWN : sizes.sizeOf(below).orElse(Estimate.UNKNOWN);
        return Optional.of(new Operand(below, type.parameters().getFirst(), each, null, sizes));
    }
}
