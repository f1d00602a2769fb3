package dev.kopf4j.devcluster.cel.cost;

import java.util.Optional;

/**
 * What functions of texts cost, and how long their results are; {@code pkg/cel/library/cost.go} of the apiserver
 * library, v1.33. Pure.
 */
final class TextCosts {
    /** A text is read and another one is written. */
    private static final double COPY = 2 * StandardCosts.PER_CHARACTER;

    private TextCosts() {}

    static Optional<CallCost> of(Call call) {
        return switch (call.function()) {
            case "url" -> same(call.argument(0));
            case "lowerAscii", "upperAscii", "substring", "trim" -> same(call.subject());
            case "replace" -> Optional.of(replacement(call));
            case "split" -> {
                Estimate size = call.subject().size();
                Long limit = call.hasArguments(2) ? call.argument(1).number() : null;
                yield Optional.of(CallCost.of(size.times(COPY), new Estimate(0, limit == null ? size.max() : limit)));
            }
            case "join" -> {
                Estimate size = joined(call);
                yield Optional.of(CallCost.of(size.times(StandardCosts.PER_CHARACTER), size));
            }
            case "find", "findAll" -> {
                Estimate cost = StandardCosts.match(call.subject(), call.argument(0));
                yield Optional.of(
                        CallCost.of(cost, new Estimate(0, call.subject().size().max())));
            }
            default -> Optional.empty();
        };
    }

    private static Optional<CallCost> same(Operand text) {
        return Optional.of(CallCost.of(text.traversal(), text.size()));
    }

    private static Estimate joined(Call call) {
        Estimate elements = call.subject().size();
        Estimate texts = call.subject()
                .element()
                .map(element -> elements.times(element.size()))
                .orElse(Estimate.ZERO);
        if (call.arguments().isEmpty()) {
            return texts;
        }
        Estimate separators = new Estimate(Math.max(0, elements.min() - 1), Math.max(0, elements.max() - 1));
        return texts.plus(call.argument(0).size().times(separators));
    }

    private static CallCost replacement(Call call) {
        Estimate text = call.subject().size();
        Estimate replaced = call.argument(0).size();
        Estimate by = call.argument(1).size();
        long shortest = Estimate.product(count(text.min(), replaced.max(), replaced.max() <= by.min()), by.min());
        long longest = Estimate.product(count(text.max(), replaced.min(), by.max() <= replaced.min()), by.max());
        boolean keepsShortest = replaced.max() == 0 || replaced.max() <= by.min();
        boolean keepsLongest = replaced.min() == 0 || by.max() <= replaced.min();
        Estimate result = new Estimate(
                Estimate.sum(shortest, keepsShortest ? text.min() : 0),
                Estimate.sum(longest, keepsLongest ? text.max() : 0));
        return CallCost.of(text.times(COPY), result);
    }

    /** How often a text is replaced; an empty one stands before each character and at the end. */
    private static long count(long length, long replaced, boolean never) {
        if (replaced == 0) {
            return Estimate.sum(length, 1);
        }
        return never ? 0 : Math.ceilDiv(length, replaced);
    }
}
