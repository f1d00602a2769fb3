package dev.kopf4j.devcluster.cel;

import dev.kopf4j.devcluster.cel.KubernetesCelTypes.CelQuantity;
import dev.kopf4j.devcluster.value.DecodingException;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;

/** What expressions ask of quantities. Pure. */
final class QuantityFunctions {
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private QuantityFunctions() {}

    static boolean isQuantity(String text) {
        try {
            return !Quantity.canonical(text).isEmpty();
        } catch (DecodingException e) {
            return false; // the answer is the point
        }
    }

    static boolean isInteger(CelQuantity celQuantity) {
        BigDecimal value = celQuantity.value();
        return value.stripTrailingZeros().scale() <= 0 && value.abs().compareTo(MAX) <= 0;
    }

    /** Of a quantity or a number. */
    static BigDecimal value(Object other) {
        return other instanceof CelQuantity(BigDecimal value) ? value : BigDecimal.valueOf((Long) other);
    }

    static int compare(Object[] two) {
        return value(two[0]).compareTo(value(two[1]));
    }
}
