package dev.kopf4j.testing;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Makes numbers that fit a structural schema: limits, {@code multipleOf}, formats. Where the schema limits a side by
 * nothing but {@code format: int64}, some are beyond 32 bits. Confined.
 */
final class SchemaNumbers {
    private static final BigDecimal USUAL_MOST = BigDecimal.valueOf(200);
    private static final BigDecimal USUAL_LEAST = BigDecimal.ONE.negate();
    /** Of an int, these are limits that nobody has chosen. */
    private static final List<BigDecimal> ENDS_OF_INT =
            List.of(BigDecimal.valueOf(Integer.MIN_VALUE), BigDecimal.valueOf(Integer.MAX_VALUE));

    private static final BigDecimal HALF = new BigDecimal("0.5");
    private static final BigDecimal NARROW = BigDecimal.valueOf(4);
    private static final BigDecimal NARROW_STEPS = BigDecimal.valueOf(8);

    /** Enough to draw evenly from a range. */
    private static final int MORE_BITS = 16;

    private final Random random;
    private final String version;

    /**
     * Makes numbers.
     *
     * @param version of the objects, for messages
     */
    SchemaNumbers(Random random, String version) {
        this.random = random;
        this.version = version;
    }

    /**
     * A whole number; an Integer if it fits one, else a Long.
     *
     * @param path of the field, for messages
     */
    Number integer(Map<?, ?> schema, String path) {
        String format = String.valueOf(schema.get("format"));
        Span possible = format.equals("int32")
                ? Span.of(Integer.MIN_VALUE, Integer.MAX_VALUE)
                : Span.of(Long.MIN_VALUE, Long.MAX_VALUE);
        boolean wide = format.equals("int64") && random.nextInt(4) == 0;
        Span span = (wide ? Span.of(schema, possible) : usual(schema)).within(possible);
        long made = draw(
                        schema,
                        path,
                        span,
                        BigDecimal.ZERO,
                        wholeStep(step(schema).orElse(BigDecimal.ONE)))
                .longValueExact();
        if (made == (int) made) {
            return (int) made;
        }
        return made;
    }

    /**
     * A number, with a fraction now and then.
     *
     * @param path of the field, for messages
     */
    double number(Map<?, ?> schema, String path) {
        Span span = usual(schema);
        Optional<BigDecimal> step = step(schema);
        return (step.isPresent()
                        ? draw(schema, path, span, BigDecimal.ZERO, step.get())
                        : draw(schema, path, span, span.least(), fraction(span)))
                .doubleValue();
    }

    /** The limit of a length, at most that of an int; the other one if the schema has none. */
    static int size(Map<?, ?> schema, String key, int otherwise) {
        return decimal(schema, key)
                .map(size -> size.max(BigDecimal.ZERO).min(BigDecimal.valueOf(Integer.MAX_VALUE)))
                .map(BigDecimal::intValue)
                .orElse(otherwise);
    }

    /** Numbers that people read with ease, where the schema does not want others. */
    private static Span usual(Map<?, ?> schema) {
        BigDecimal least = chosen(schema, "minimum")
                .orElseGet(() -> chosen(schema, "maximum")
                        .map(most -> most.subtract(USUAL_MOST).min(USUAL_LEAST))
                        .orElse(USUAL_LEAST));
        return Span.of(schema, new Span(least, least.max(BigDecimal.ZERO).add(USUAL_MOST)));
    }

    private BigDecimal draw(Map<?, ?> schema, String path, Span span, BigDecimal origin, BigDecimal step) {
        BigInteger first = span.least()
                .subtract(origin)
                .divide(step, 0, RoundingMode.CEILING)
                .toBigIntegerExact();
        BigInteger last =
                span.most().subtract(origin).divide(step, 0, RoundingMode.FLOOR).toBigIntegerExact();
        if (isExcluded(schema, "minimum", "exclusiveMinimum", at(origin, step, first))) {
            first = first.add(BigInteger.ONE);
        }
        if (isExcluded(schema, "maximum", "exclusiveMaximum", at(origin, step, last))) {
            last = last.subtract(BigInteger.ONE);
        }
        BigInteger count = last.subtract(first).add(BigInteger.ONE);
        if (count.signum() <= 0) {
            throw new IllegalStateException("no value for " + path + " fits its schema " + schema
                    + "; say how one is made, as in .value(\"" + version + "\", \"" + path + "\", random -> 7)");
        }
        BigInteger drawn = new BigInteger(count.bitLength() + MORE_BITS, random).mod(count);
        return at(origin, step, first.add(drawn));
    }

    private static BigDecimal at(BigDecimal origin, BigDecimal step, BigInteger steps) {
        return origin.add(step.multiply(new BigDecimal(steps)));
    }

    private static boolean isExcluded(Map<?, ?> schema, String limit, String exclusive, BigDecimal value) {
        return Boolean.TRUE.equals(schema.get(exclusive))
                && decimal(schema, limit)
                        .filter(given -> given.compareTo(value) == 0)
                        .isPresent();
    }

    private static Optional<BigDecimal> step(Map<?, ?> schema) {
        return decimal(schema, "multipleOf").filter(step -> step.signum() > 0);
    }

    /** The least whole number that is a multiple of it. */
    private static BigDecimal wholeStep(BigDecimal step) {
        if (step.scale() <= 0) {
            return step;
        }
        BigInteger digits = step.unscaledValue();
        return new BigDecimal(digits.divide(digits.gcd(BigInteger.TEN.pow(step.scale()))));
    }

    private static BigDecimal fraction(Span span) {
        BigDecimal width = span.most().subtract(span.least());
        return width.signum() <= 0 || width.compareTo(NARROW) >= 0 ? HALF : width.divide(NARROW_STEPS);
    }

    private static Optional<BigDecimal> chosen(Map<?, ?> schema, String limit) {
        boolean isInt = "int32".equals(schema.get("format"));
        return decimal(schema, limit).filter(number -> !isInt || !ENDS_OF_INT.contains(number));
    }

    private static Optional<BigDecimal> decimal(Map<?, ?> schema, String key) {
        return schema.get(key) instanceof Number number
                ? Optional.of(new BigDecimal(number.toString()))
                : Optional.empty();
    }

    /**
     * From one number to another one, both included. Immutable.
     *
     * @param least the first one
     * @param most the last one
     */
    private record Span(BigDecimal least, BigDecimal most) {
        static Span of(long least, long most) {
            return new Span(BigDecimal.valueOf(least), BigDecimal.valueOf(most));
        }

        /** The limits of a schema; those of the other one where it has none. */
        static Span of(Map<?, ?> schema, Span otherwise) {
            return new Span(
                    chosen(schema, "minimum").orElse(otherwise.least),
                    chosen(schema, "maximum").orElse(otherwise.most));
        }

        Span within(Span other) {
            return new Span(least.max(other.least), most.min(other.most));
        }
    }
}
