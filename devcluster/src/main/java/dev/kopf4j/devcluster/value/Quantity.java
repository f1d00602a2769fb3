package dev.kopf4j.devcluster.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Quantities such as 500m, 1Gi or 2e3. */
public final class Quantity {
    private static final Pattern FORM = Pattern.compile("([+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+))([A-Za-z]*[+-]?[0-9]*)");
    private static final List<String> BINARY_SUFFIXES = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final List<String> DECIMAL_SUFFIXES = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    private Quantity() {}

    /** The canonical form: no fraction, the biggest suffix; {@link DecodingException} when it is no quantity. */
    public static String canonical(String text) {
        Parts parts = Parts.of(text);
        return switch (parts.format()) {
            case BINARY -> binary(parts.value());
            case EXPONENT -> exponent(parts.value());
            case DECIMAL -> decimal(parts.value());
        };
    }

    /** The value as a number. */
    public static BigDecimal value(String text) {
        return Parts.of(text).value();
    }

    /** The format of a quantity, by its suffix; Format of {@code pkg/api/resource/quantity.go}. */
    private enum Format {
        BINARY,
        EXPONENT,
        DECIMAL
    }

    private record Parts(Format format, BigDecimal value) {
        static Parts of(String text) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw unreadable();
            }
            BigDecimal number = new BigDecimal(matcher.group(1));
            String suffix = matcher.group(2);
            if (suffix.length() == 2 && BINARY_SUFFIXES.contains(suffix)) {
                return new Parts(Format.BINARY, number.multiply(KIBI.pow(BINARY_SUFFIXES.indexOf(suffix))));
            }
            if (suffix.length() > 1 && (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E')) {
                return new Parts(Format.EXPONENT, number.scaleByPowerOfTen(exponentOf(suffix)));
            }
            int index = DECIMAL_SUFFIXES.indexOf(suffix);
            if (index < 0) {
                throw unreadable();
            }
            return new Parts(Format.DECIMAL, number.scaleByPowerOfTen(3 * (index - 3)));
        }
    }

    private static int exponentOf(String suffix) {
        try {
            return Integer.parseInt(suffix.substring(1));
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
        BigDecimal rounded = value.setScale(9, RoundingMode.UP);
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
