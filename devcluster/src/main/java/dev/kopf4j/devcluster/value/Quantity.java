package dev.kopf4j.devcluster.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Quantities such as 500m, 1Gi or 2e3. */
public final class Quantity {
    private static final Pattern FORM = Pattern.compile("([+-]?)0*([0-9]*)(?:\\.([0-9]*))?([A-Za-z]*[+-]?[0-9]*)");
    private static final List<String> BINARY_SUFFIXES = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final List<String> DECIMAL_SUFFIXES = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
    private static final BigDecimal BINARY_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    /** How many decimal digits surely fit into 64 bits; {@code pkg/api/resource/math.go}. */
    private static final int DIGITS_MAX = 18;

    /**
     * The exponent of the largest number that is compared and added: nobody has as much, and it has a thousand digits.
     */
    private static final int SCALE_MIN = -1000;

    private static final int EXPONENT_MAX = 1_000_000_000;
    private static final int NANO = 9;

    private Quantity() {}

    /** The canonical form: no fraction, the biggest suffix; {@link DecodingException} when it is no quantity. */
    public static String canonical(String text) {
        Parts parts = Parts.of(text);
        return parts.asWritten() ? text : parts.format().canonical(parts.value());
    }

    /**
     * The same in a list of resources, as of a container or a quota: there, what is finer than a thousandth is rounded
     * up; {@code SetDefaults_ResourceList} of {@code pkg/apis/core/v1/defaults.go}.
     */
    public static String ofResource(String text) {
        Parts parts = Parts.of(text);
        BigDecimal rounded = roundedUp(parts.value(), 3);
        return rounded.compareTo(parts.value()) == 0
                ? canonical(text)
                : parts.format().canonical(rounded);
    }

    /** The value as a number to reckon with: a one and a thousand zeros stands for all that are larger. */
    public static BigDecimal value(String text) {
        BigDecimal value = Parts.of(text).value();
        return value.scale() < SCALE_MIN ? BigDecimal.valueOf(value.signum()).scaleByPowerOfTen(-SCALE_MIN) : value;
    }

    /** Does not write out the zeros of a whole number, which may be billions. */
    private static BigDecimal roundedUp(BigDecimal value, int scale) {
        return value.scale() <= scale ? value : value.setScale(scale, RoundingMode.UP);
    }

    /** The format of a quantity, by its suffix; Format of {@code pkg/api/resource/quantity.go}. */
    private enum Format {
        BINARY,
        EXPONENT,
        DECIMAL;

        String canonical(BigDecimal value) {
            return switch (this) {
                case BINARY -> binary(value);
                case EXPONENT -> exponent(roundedUp(value, NANO));
                case DECIMAL -> decimal(value);
            };
        }
    }

    /**
     * What a text says, as {@code ParseQuantity} reads it.
     *
     * @param asWritten true if the server takes the text for canonical, and keeps it: also some that are not
     */
    private record Parts(Format format, BigDecimal value, boolean asWritten) {
        static Parts of(String text) {
            Matcher matcher = FORM.matcher(text);
            if (text.isEmpty() || !matcher.matches()) {
                throw unreadable();
            }
            String whole = matcher.group(2).isEmpty() ? "0" : matcher.group(2);
            String fraction = matcher.group(3) == null ? "" : matcher.group(3);
            String digits = whole + fraction;
            BigDecimal number = new BigDecimal(matcher.group(1) + digits).scaleByPowerOfTen(-fraction.length());
            String suffix = matcher.group(4);
            if (suffix.length() == 2 && BINARY_SUFFIXES.contains(suffix)) {
                return binary(digits, fraction.isEmpty(), number, BINARY_SUFFIXES.indexOf(suffix));
            }
            boolean exponential = suffix.length() > 1 && (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E');
            int index = DECIMAL_SUFFIXES.indexOf(suffix);
            if (!exponential && index < 0) {
                throw unreadable();
            }
            int exponent = exponential ? exponentOf(suffix) : 3 * (index - 3);
            int scale = exponent - fraction.length();
            boolean asWritten = digits.length() <= DIGITS_MAX
                    && scale >= -9
                    && scale % 3 == 0
                    && !digits.endsWith("000")
                    && digits.charAt(0) != '0';
            return new Parts(exponential ? Format.EXPONENT : Format.DECIMAL, scaled(number, exponent), asWritten);
        }

        /** What is finer than a billionth is one: its digits could be as many as its exponent says. */
        private static BigDecimal scaled(BigDecimal number, int exponent) {
            boolean belowNano = (long) number.precision() - number.scale() + exponent <= -NANO;
            if (number.signum() == 0 || belowNano) {
                return BigDecimal.valueOf(number.signum(), NANO);
            }
            return number.scaleByPowerOfTen(Math.min(exponent, EXPONENT_MAX));
        }

        private static Parts binary(String digits, boolean isWhole, BigDecimal number, int index) {
            boolean asWritten = isWhole && digits.length() + 3 * index + 1 <= 15 && (Long.parseLong(digits) & 7) != 0;
            BigDecimal value = number.multiply(KIBI.pow(index));
            BigDecimal most = value.signum() < 0 ? BINARY_MAX.negate() : BINARY_MAX;
            return new Parts(Format.BINARY, value.abs().compareTo(BINARY_MAX) > 0 ? most : value, asWritten);
        }
    }

    private static int exponentOf(String suffix) {
        try {
            return (int) Long.parseLong(suffix.substring(1)); // as the server shortens it, too
        } catch (NumberFormatException e) {
            throw unreadable();
        }
    }

    private static DecodingException unreadable() {
        return new DecodingException(
                "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }

    private static String binary(BigDecimal value) {
        if (value.abs().compareTo(KIBI) < 0 || value.stripTrailingZeros().scale() > 0) {
            return decimal(value);
        }
        BigInteger number = value.toBigIntegerExact();
        int index = 0;
        BigInteger kibi = BigInteger.valueOf(1024);
        while (index < BINARY_SUFFIXES.size() - 1
                && number.signum() != 0
                && number.mod(kibi).signum() == 0) {
            number = number.divide(kibi);
            index++;
        }
        return number + BINARY_SUFFIXES.get(index);
    }

    private static String decimal(BigDecimal value) {
        BigDecimal rounded = value.setScale(NANO, RoundingMode.UP);
        if (rounded.signum() == 0) {
            return "0";
        }
        BigInteger number = rounded.unscaledValue();
        BigInteger thousand = BigInteger.valueOf(1000);
        int index = 0;
        while (index < DECIMAL_SUFFIXES.size() - 1 && number.mod(thousand).signum() == 0) {
            number = number.divide(thousand);
            index++;
        }
        return number + DECIMAL_SUFFIXES.get(index);
    }

    private static String exponent(BigDecimal number) {
        BigDecimal value = number.stripTrailingZeros();
        int shown = Math.floorDiv(-value.scale(), 3) * 3;
        BigDecimal mantissa = value.scaleByPowerOfTen(-shown);
        return mantissa.toBigInteger() + (shown == 0 ? "" : "e" + shown);
    }
}
