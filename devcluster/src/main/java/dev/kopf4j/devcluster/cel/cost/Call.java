package dev.kopf4j.devcluster.cel.cost;

import java.util.List;
import java.util.Optional;

/** A call whose cost is asked for. */
record Call(String function, String overload, Optional<Operand> target, List<Operand> arguments) {
    /** The target, or else the first argument. */
    Operand subject() {
        return target.orElseGet(arguments::getFirst);
    }

    Operand argument(int index) {
        return arguments.get(index);
    }

    boolean hasArguments(int number) {
        return arguments.size() == number;
    }
}
