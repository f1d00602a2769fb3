package dev.kopf4j.devcluster.cel.cost;

/**
 * A cost or a size that lies between two bounds, in the units of the language. Sums and products that are too big for a
 * number are the biggest one; {@code checker/cost.go} of cel-go, v0.23, which Kubernetes v1.33 uses.
 *
 * @param min the lower bound
 * @param max the upper bound; {@link Long#MAX_VALUE} if there is none
 */
public record Estimate(long min, long max) {
    /** Nothing at all. */
    public static final Estimate ZERO = fixed(0);
    /** The cost of a simple operation. */
    public static final Estimate ONE = fixed(1);
    /** Nothing is known. */
    public static final Estimate UNKNOWN = new Estimate(0, Long.MAX_VALUE);

    /** A value that is known. */
    public static Estimate fixed(long value) {
        return new Estimate(value, value);
    }

    /** The sum. */
    public Estimate plus(Estimate other) {
        return new Estimate(sum(min, other.min), sum(max, other.max));
    }

    /** The product. */
    public Estimate times(Estimate other) {
        return new Estimate(product(min, other.min), product(max, other.max));
    }

    /** The product, rounded up. */
    public Estimate times(double factor) {
        return new Estimate(product(min, factor), product(max, factor));
    }

    /** The smallest range with both in it. */
    public Estimate union(Estimate other) {
        return new Estimate(Math.min(min, other.min), Math.max(max, other.max));
    }

    /** A sum that does not overflow. */
    public static long sum(long left, long right) {
        return left > Long.MAX_VALUE - right ? Long.MAX_VALUE : left + right;
    }

    /** A product that does not overflow. */
    public static long product(long left, long right) {
        return right != 0 && left > Long.MAX_VALUE / right ? Long.MAX_VALUE : left * right;
    }

    private static long product(long value, double factor) {
        return (long) Math.ceil(value * factor);
    }
}
