package dev.kopf4j.devcluster.cel;

import dev.kopf4j.devcluster.cel.KubernetesTypes.Amount;
import dev.kopf4j.devcluster.type.Quantity;
import dev.kopf4j.devcluster.type.TypeMismatch;
import java.math.BigDecimal;

/** What expressions ask of quantities. Pure. */
final class Quantities {
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private Quantities() {}

    static boolean isQuantity(String text) {
        try {
            return !Quantity.canonical(text).isEmpty();
        } catch (TypeMismatch e) {
            return false; // the answer is the point
        }
    }

    static boolean isInteger(Amount amount) {
        BigDecimal value = amount.value();
        return value.stripTrailingZeros().scale() <= 0 && value.abs().compareTo(MAX) <= 0;
    }

    /** Of a quantity or a number. */
    static BigDecimal value(Object other) {
        return other instanceof Amount(BigDecimal value) ? value : BigDecimal.valueOf((Long) other);
    }

    static int compare(Object[] two) {
        return value(two[0]).compareTo(value(two[1]));
    }
}
