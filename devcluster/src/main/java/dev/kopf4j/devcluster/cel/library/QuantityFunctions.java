package dev.kopf4j.devcluster.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.kopf4j.devcluster.cel.library.KubernetesCelTypes.CelQuantity;
import dev.kopf4j.devcluster.value.DecodingException;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * Quantities: {@code quantity}, {@code isQuantity} and their members; {@code pkg/cel/library/quantity.go} of the
 * apiserver library, v1.33.
 */
final class QuantityFunctions {
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final CelType QUANTITY = KubernetesCelTypes.QUANTITY;
    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType NUMBER = SimpleType.INT;
    private static final CelType TRUTH = SimpleType.BOOL;

    private QuantityFunctions() {}

    static void declare(CelFunctions functions) {
        functions
                .global("quantity", QUANTITY, List.of(TEXT), given -> CelQuantity.of((String) given[0]))
                .global("isQuantity", TRUTH, List.of(TEXT), given -> isQuantity((String) given[0]))
                .member("sign", NUMBER, List.of(QUANTITY), given ->
                        (long) value(given[0]).signum())
                .member("isInteger", TRUTH, List.of(QUANTITY), given -> isInteger(value(given[0])))
                .member(
                        "asInteger",
                        NUMBER,
                        List.of(QUANTITY),
                        given -> value(given[0]).longValueExact())
                .member(
                        "asApproximateFloat",
                        SimpleType.DOUBLE,
                        List.of(QUANTITY),
                        given -> value(given[0]).doubleValue());
        arithmetic(functions, "add", BigDecimal::add);
        arithmetic(functions, "sub", BigDecimal::subtract);
        functions
                .member("isGreaterThan", TRUTH, List.of(QUANTITY, QUANTITY), given -> compare(given) > 0)
                .member("isLessThan", TRUTH, List.of(QUANTITY, QUANTITY), given -> compare(given) < 0)
                .member("compareTo", NUMBER, List.of(QUANTITY, QUANTITY), given -> (long) compare(given));
    }

    private static void arithmetic(CelFunctions functions, String name, BinaryOperator<BigDecimal> operator) {
        for (CelType other : List.of(QUANTITY, NUMBER)) {
            functions.member(
                    name,
                    QUANTITY,
                    List.of(QUANTITY, other),
                    given -> new CelQuantity(operator.apply(value(given[0]), value(given[1]))));
        }
    }

    private static boolean isQuantity(String text) {
        try {
            return !Quantity.canonical(text).isEmpty();
        } catch (DecodingException e) {
            return false; // a text that cannot be parsed is no quantity
        }
    }

    private static boolean isInteger(BigDecimal value) {
        return value.stripTrailingZeros().scale() <= 0 && value.abs().compareTo(MAX) <= 0;
    }

    /** The value of a quantity or a number. */
    private static BigDecimal value(Object other) {
        return other instanceof CelQuantity(BigDecimal value) ? value : BigDecimal.valueOf((Long) other);
    }

    private static int compare(Object[] two) {
        return value(two[0]).compareTo(value(two[1]));
    }
}
