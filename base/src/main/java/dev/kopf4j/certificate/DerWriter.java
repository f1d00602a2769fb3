package dev.kopf4j.certificate;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Writes the ASN.1 elements that certificates consist of, in DER (X.690). Pure. */
final class DerWriter {
    private static final DateTimeFormatter GENERALIZED =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("uuMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** RFC 5280, 4.1.2.5: years before this one are written with two digits. */
    private static final int FIRST_LONG_YEAR = 2050;

    private static final int LONG_FORM = 0x80;
    private static final int SEVEN_BITS = 0x7f;

    private DerWriter() {}

    /** An element of any type: the tag, the length, the parts. */
    static byte[] element(int tag, byte[]... parts) {
        byte[] content = joined(List.of(parts));
        return joined(List.of(new byte[] {(byte) tag}, length(content.length), content));
    }

    private static byte[] length(int length) {
        if (length < LONG_FORM) {
            return new byte[] {(byte) length};
        }
        byte[] digits = unsigned(length);
        return joined(List.of(new byte[] {(byte) (LONG_FORM | digits.length)}, digits));
    }

    private static byte[] unsigned(int number) {
        byte[] signed = BigInteger.valueOf(number).toByteArray();
        return signed[0] == 0 ? Arrays.copyOfRange(signed, 1, signed.length) : signed;
    }

    private static byte[] joined(List<byte[]> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }

    static byte[] sequence(List<byte[]> parts) {
        return element(0x30, joined(parts));
    }

    static byte[] sequence(byte[]... parts) {
        return element(0x30, parts);
    }

    static byte[] set(byte[]... parts) {
        return element(0x31, parts);
    }

    static byte[] integer(BigInteger value) {
        return element(0x02, value.toByteArray());
    }

    static byte[] yes() {
        return element(0x01, new byte[] {(byte) 0xff});
    }

    static byte[] text(String text) {
        return element(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] octets(byte[] content) {
        return element(0x04, content);
    }

    /** A bit string whose last bits are not used. */
    static byte[] bits(int unused, byte[] content) {
        return element(0x03, new byte[] {(byte) unused}, content);
    }

    static byte[] time(Instant moment) {
        boolean isShort = moment.atOffset(ZoneOffset.UTC).getYear() < FIRST_LONG_YEAR;
        String text = (isShort ? UTC : GENERALIZED).format(moment);
        return element(isShort ? 0x17 : 0x18, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** An object identifier, such as 2.5.4.3. */
    static byte[] identifier(String dotted) {
        List<Integer> numbers =
                List.of(dotted.split("\\.", -1)).stream().map(Integer::valueOf).toList();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.write(numbers.get(0) * 40 + numbers.get(1));
        numbers.stream().skip(2).forEach(number -> content.writeBytes(base128(number)));
        return element(0x06, content.toByteArray());
    }

    private static byte[] base128(int number) {
        byte[] last = {(byte) (number & SEVEN_BITS)};
        return number > SEVEN_BITS ? joined(List.of(continued(number >> 7), last)) : last;
    }

    private static byte[] continued(int number) {
        byte[] bytes = base128(number);
        bytes[bytes.length - 1] |= (byte) LONG_FORM;
        return bytes;
    }
}
