package dev.kopf4j.devcluster.certificate;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes the few ASN.1 structures in DER that certificates are made of. Pure. */
final class DerEncoding {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private DerEncoding() {}

    static byte[] tagged(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        length(out, content.size());
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }

    private static void length(ByteArrayOutputStream out, int length) {
        if (length < 0x80) {
            out.write(length);
        } else {
            byte[] bytes = BigInteger.valueOf(length).toByteArray();
            int start = bytes[0] == 0 ? 1 : 0;
            out.write(0x80 | (bytes.length - start));
            out.write(bytes, start, bytes.length - start);
        }
    }

    static byte[] sequence(byte[]... parts) {
        return tagged(0x30, parts);
    }

    static byte[] set(byte[]... parts) {
        return tagged(0x31, parts);
    }

    static byte[] integer(BigInteger value) {
        return tagged(0x02, value.toByteArray());
    }

    static byte[] bool(boolean value) {
        return tagged(0x01, new byte[] {(byte) (value ? 0xff : 0)});
    }

    static byte[] utf8(String text) {
        return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] octets(byte[] bytes) {
        return tagged(0x04, bytes);
    }

    /** A bit string whose last byte has this number of unused bits. */
    static byte[] bits(int unused, byte[] bytes) {
        return tagged(0x03, new byte[] {(byte) unused}, bytes);
    }

    static byte[] time(Instant instant) {
        return tagged(0x18, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
    }

    /** An object identifier such as 2.5.4.3. */
    static byte[] oid(String dotted) {
        String[] parts = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(parts[0]) * 40 + Integer.parseInt(parts[1]));
        for (int index = 2; index < parts.length; index++) {
            base128(out, Long.parseLong(parts[index]));
        }
        return tagged(0x06, out.toByteArray());
    }

    private static void base128(ByteArrayOutputStream out, long value) {
        int shift = 0;
        while (value >> (shift + 7) > 0) {
            shift += 7;
        }
        for (; shift >= 0; shift -= 7) {
            out.write((int) ((value >> shift) & 0x7f) | (shift > 0 ? 0x80 : 0));
        }
    }
}
