package dev.kopf4j.devcluster.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;
import tools.jackson.databind.node.ValueNode;

/**
 * Values as a real server keeps them. Numbers: integers of 64 bits, and real numbers of double precision for all
 * others, written without an exponent from a millionth up to 10^21; neither 1.0 nor -0 is kept as it was sent. Texts:
 * half of a letter (a lone surrogate) becomes U+FFFD.
 */
final class ServerValues extends JsonNodeFactory {
    private static final long serialVersionUID = 1L;

    private static final char REPLACEMENT = '\uFFFD';
    private static final double PLAIN_MIN = 1e-6;
    private static final double PLAIN_MAX = 1e21;

    @Override
    public StringNode stringNode(String text) {
        return super.stringNode(isWellFormed(text) ? text : wellFormed(text));
    }

    private static boolean isWellFormed(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (Character.isSurrogate(text.charAt(at))) {
                return false;
            }
        }
        return true;
    }

    private static String wellFormed(String text) {
        StringBuilder whole = new StringBuilder(text.length());
        text.codePoints()
                .forEach(letter -> whole.appendCodePoint(
                        letter >= Character.MIN_SURROGATE && letter <= Character.MAX_SURROGATE ? REPLACEMENT : letter));
        return whole.toString();
    }

    @Override
    public ValueNode numberNode(BigInteger number) {
        return number.bitLength() < Long.SIZE ? numberNode(number.longValue()) : real(number.doubleValue(), number);
    }

    @Override
    public ValueNode numberNode(BigDecimal number) {
        return real(number.doubleValue(), number);
    }

    private ValueNode real(double number, Number sent) {
        if (!Double.isFinite(number)) {
            throw new TooLargeNumberException(sent);
        }
        BigDecimal shortest = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        double size = Math.abs(number);
        if (shortest.signum() == 0) {
            return numberNode(0);
        }
        if (size >= PLAIN_MAX || size < PLAIN_MIN) {
            return super.numberNode(shortest);
        }
        if (shortest.scale() > 0) {
            return super.numberNode(shortest);
        }
        BigInteger whole = shortest.toBigIntegerExact();
        return whole.bitLength() < Long.SIZE ? numberNode(whole.longValue()) : super.numberNode(whole);
    }
}
