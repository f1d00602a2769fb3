package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.value.GoDurations;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The formats of strings; {@code pkg/validation/strfmt} of kube-openapi. Unknown ones are ignored. Pure. */
public final class StringFormats {
    private static final String UUID_HEAD = "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?";
    private static final String UUID_TAIL = "[0-9a-f]{4}-?[0-9a-f]{12}";
    private static final Pattern TIME = Pattern.compile("(\\d{2}):(\\d{2}):(\\d{2})(\\.\\d+)?(z|[+-]\\d{2}:\\d{2})");
    private static final Pattern HOSTNAME =
            Pattern.compile("[a-zA-Z0-9\\p{S}\\p{L}](-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?|([a-zA-Z0-9\\p{S}\\p{L}]"
                    + "([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?\\.)+[a-zA-Z\\p{L}]{2,63}");
    private static final Map<String, Predicate<String>> CHECKS = Map.ofEntries(
            Map.entry("datetime", StringFormats::isDateTime),
            Map.entry("date", StringFormats::isDate),
            Map.entry("duration", GoDurations::fit),
            Map.entry("uuid", form(UUID_HEAD + "[0-9a-f]{4}-?" + UUID_TAIL)),
            Map.entry("uuid3", form(UUID_HEAD + "3[0-9a-f]{3}-?" + UUID_TAIL)),
            Map.entry("uuid4", form(UUID_HEAD + "4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}")),
            Map.entry("uuid5", form(UUID_HEAD + "5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}")),
            Map.entry("hostname", StringFormats::isHostname),
            Map.entry("email", form("[^@\\s]+@[^@\\s]+|[^@<>]*<[^@\\s]+@[^@\\s]+>")),
            Map.entry(
                    "ipv4",
                    text -> text.contains(".")
                            && IpAddresses.parse(withoutLeadingZeros(text)).isPresent()),
            Map.entry(
                    "ipv6",
                    text -> text.contains(":") && IpAddresses.parse(text).isPresent()),
            Map.entry(
                    "cidr",
                    text -> IpAddresses.parseRange(withoutLeadingZeros(text)).isPresent()),
            Map.entry(
                    "mac",
                    form("(?i)([0-9a-f]{2}[:-]){5}(([0-9a-f]{2}[:-]){2}){0,7}[0-9a-f]{2}"
                            + "|([0-9a-f]{4}\\.){2,9}[0-9a-f]{4}")),
            Map.entry("uri", StringFormats::isUri),
            Map.entry("byte", form("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})")),
            Map.entry("bsonobjectid", form("[0-9a-fA-F]{24}")),
            Map.entry("hexcolor", form("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")),
            Map.entry(
                    "rgbcolor",
                    form("rgb\\((\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*,){2}"
                            + "\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*\\)")),
            Map.entry("ssn", form("\\d{3}[- ]?\\d{2}[- ]?\\d{4}")),
            Map.entry("isbn", text -> CheckDigits.isIsbn10(text) || CheckDigits.isIsbn13(text)),
            Map.entry("isbn10", CheckDigits::isIsbn10),
            Map.entry("isbn13", CheckDigits::isIsbn13),
            Map.entry("creditcard", CheckDigits::isCreditCard));

    private StringFormats() {}

    /** Addresses of version 4 may have them: {@code strfmt/default.go} of kube-openapi. */
    private static String withoutLeadingZeros(String address) {
        return address.replaceAll("(^|\\.)0+(?=[0-9])", "$1");
    }

    /** The format that a schema asks for, if it is one of those that its type can have; empty otherwise. */
    static String of(StructuralSchema structuralSchema) {
        String format = structuralSchema.node().path("format").stringValue("");
        boolean known = switch (SchemaTypeCheck.of(structuralSchema)) {
            case "", "string", "integer,string" -> format.equals("password") || CHECKS.containsKey(normal(format));
            case "integer" -> format.equals("int32") || format.equals("int64");
            case "number" -> format.equals("float") || format.equals("double");
            default -> false;
        };
        return known ? format : "";
    }

    /** True if a string has a format, or the format is unknown. */
    public static boolean fits(String format, String text) {
        Predicate<String> check = CHECKS.get(normal(format));
        return check == null || check.test(text);
    }

    /** Hyphens make no difference: {@code date-time} is {@code datetime}. */
    private static String normal(String format) {
        return format.replace("-", "");
    }

    private static Predicate<String> form(String pattern) {
        return Pattern.compile(pattern).asMatchPredicate();
    }

    private static boolean isDateTime(String text) {
        String[] parts = text.toLowerCase(Locale.ROOT).split("t", 2);
        if (parts.length < 2 || !isDate(parts[0])) {
            return false;
        }
        var time = TIME.matcher(parts[1]);
        return time.matches()
                && time.group(1).compareTo("23") <= 0
                && time.group(2).compareTo("59") <= 0
                && time.group(3).compareTo("59") <= 0;
    }

    private static boolean isDate(String text) {
        try {
            return text.length() == "2006-01-02".length() && LocalDate.parse(text) != null;
        } catch (DateTimeException e) {
            return false; // a text that cannot be parsed does not have the format
        }
    }

    private static boolean isHostname(String text) {
        if (text.length() > 255 || !HOSTNAME.matcher(text).matches()) {
            return false;
        }
        for (String label : text.split("\\.", -1)) {
            if (label.length() > 63) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUri(String text) {
        try {
            return new URI(text).isAbsolute() || text.startsWith("/");
        } catch (URISyntaxException e) {
            return false; // not parseable: that is the answer
        }
    }

    /** Numbers with a check digit: books, credit cards. Pure. */
    private static final class CheckDigits {
        private CheckDigits() {}

        private static String digits(String text) {
            return text.replaceAll("[\\s-]+", "");
        }

        static boolean isIsbn10(String text) {
            String digits = digits(text);
            if (!digits.matches("\\d{9}[\\dX]")) {
                return false;
            }
            int sum = 0;
            for (int index = 0; index < 10; index++) {
                char digit = digits.charAt(index);
                sum += (index + 1) * (digit == 'X' ? 10 : digit - '0');
            }
            return sum % 11 == 0;
        }

        static boolean isIsbn13(String text) {
            String digits = digits(text);
            if (!digits.matches("\\d{13}")) {
                return false;
            }
            int sum = 0;
            for (int index = 0; index < 13; index++) {
                sum += (index % 2 == 0 ? 1 : 3) * (digits.charAt(index) - '0');
            }
            return sum % 10 == 0;
        }

        static boolean isCreditCard(String text) {
            String digits = digits(text);
            if (!digits.matches("\\d{13,19}")) {
                return false;
            }
            int sum = 0;
            for (int index = 0; index < digits.length(); index++) {
                int digit = digits.charAt(digits.length() - 1 - index) - '0';
                int twice = digit * 2;
                sum += index % 2 == 0 ? digit : twice > 9 ? twice - 9 : twice;
            }
            return sum % 10 == 0;
        }
    }
}
