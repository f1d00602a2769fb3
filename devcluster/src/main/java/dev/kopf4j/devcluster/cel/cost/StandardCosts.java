package dev.kopf4j.devcluster.cel.cost;

/**
 * What the functions of the language cost, by their overloads; {@code checker/cost.go} of cel-go, v0.23. Conditions are
 * not here, as it depends on them which operands are evaluated. Pure.
 */
final class StandardCosts {
    /** To look at one character. */
    static final double PER_CHARACTER = 0.1;
    /** To match by one character of a pattern. */
    static final double PER_PATTERN_CHARACTER = 0.25;

    private StandardCosts() {}

    static CallCost of(Call call) {
        return switch (call.overload()) {
            case "string_to_bytes" -> {
                Estimate size = call.argument(0).size();
                yield CallCost.of(call.argument(0).traversal(), size.times(new Estimate(1, 4)));
            }
            case "bytes_to_string" -> {
                Estimate size = call.argument(0).size();
                yield CallCost.of(call.argument(0).traversal(), new Estimate(size.min() / 4, size.max()));
            }
            case "starts_with_string", "ends_with_string" ->
                CallCost.of(call.argument(0).traversal());
            case "in_list" -> CallCost.of(call.argument(1).size());
            case "matches_string" -> CallCost.of(match(call.subject(), call.argument(0)));
            case "contains_string" ->
                CallCost.of(call.subject().traversal().times(call.argument(0).traversal()));
            case "list_sets_contains_list", "list_sets_intersects_list" -> CallCost.of(pairs(call, 1));
            case "list_sets_equivalent_list" -> CallCost.of(pairs(call, 2));
            default -> ofOperator(call);
        };
    }

    private static CallCost ofOperator(Call call) {
        return switch (call.overload()) {
            case "add_list" -> CallCost.of(Estimate.ONE, both(call));
            case "add_string", "add_bytes" -> CallCost.of(both(call).times(PER_CHARACTER), both(call));
            case "equals", "not_equals" -> CallCost.of(comparison(call));
            case "less_string", "greater_string", "less_equals_string", "greater_equals_string" ->
                CallCost.of(comparison(call));
            case "less_bytes", "greater_bytes", "less_equals_bytes", "greater_equals_bytes" ->
                CallCost.of(comparison(call));
            default -> ofText(call);
        };
    }

    private static CallCost ofText(Call call) {
        if (call.function().equals("format") && call.target().isPresent()) {
            return CallCost.of(call.subject().traversal());
        }
        if (call.function().equals("strings.quote")) {
            Estimate quoted = call.argument(0).size().times(new Estimate(1, 2)).plus(Estimate.fixed(2));
            return CallCost.of(call.argument(0).traversal(), quoted);
        }
        return CallCost.ONE;
    }

    /** To match a text by a pattern. Empty texts count as one character, as the pattern alone costs, too. */
    static Estimate match(Operand text, Operand pattern) {
        Estimate characters = text.size().plus(Estimate.ONE).times(PER_CHARACTER);
        return characters.times(pattern.size().times(PER_PATTERN_CHARACTER));
    }

    private static Estimate both(Call call) {
        return call.argument(0).size().plus(call.argument(1).size());
    }

    private static Estimate pairs(Call call, double times) {
        return call.argument(0)
                .size()
                .times(call.argument(1).size())
                .times(times)
                .plus(Estimate.ONE);
    }

    private static Estimate comparison(Call call) {
        long shorter =
                Math.min(call.argument(0).size().max(), call.argument(1).size().max());
        return new Estimate(Math.min(1, shorter), shorter).times(PER_CHARACTER);
    }
}
