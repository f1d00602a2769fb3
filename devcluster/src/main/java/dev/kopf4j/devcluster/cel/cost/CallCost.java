package dev.kopf4j.devcluster.cel.cost;

import java.util.Optional;

/**
 * What one call costs, without its arguments.
 *
 * @param result how big its result is; empty if the function does not say
 */
record CallCost(Estimate cost, Optional<Estimate> result) {
    static final CallCost ONE = of(Estimate.ONE);

    static CallCost of(Estimate cost) {
        return new CallCost(cost, Optional.empty());
    }

    static CallCost of(Estimate cost, Estimate result) {
        return new CallCost(cost, Optional.of(result));
    }
}
