package dev.kopf4j.devcluster.value;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** IP addresses and ranges, in the forms that Go reads. Host names are not looked up. */
public final class IpAddresses {
    private static final String BYTE = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final Pattern IPV4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*");

    private IpAddresses() {}

    /**
     * A range.
     *
     * @param bits how many leading bits all addresses of it have in common
     */
    public record Range(InetAddress address, int bits) {
        /** Whether an address is in it. */
        public boolean contains(InetAddress other) {
            byte[] left = address.getAddress();
            byte[] right = other.getAddress();
            if (left.length != right.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> bit % 8;
                if ((left[bit / 8] & mask) != (right[bit / 8] & mask)) {
                    return false;
                }
            }
            return true;
        }

        /** Whether another range lies in it. */
        public boolean contains(Range other) {
            return other.bits >= bits && contains(other.address);
        }

        /** The range with zeros after the common bits. */
        public Range masked() {
            byte[] bytes = address.getAddress();
            for (int bit = bits; bit < bytes.length * 8; bit++) {
                bytes[bit / 8] &= (byte) ~(0x80 >> bit % 8);
            }
            return new Range(of(bytes), bits);
        }

        @Override
        public String toString() {
            return shown(address) + "/" + bits;
        }
    }

    private static InetAddress of(byte[] bytes) {
        try {
            return bytes.length == 4 ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress("", bytes, -1);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an address of " + bytes.length + " bytes", e);
        }
    }

    /** The address as Go once read it, with 010 as 10. */
    public static String withoutZeros(String address) {
        return address.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")
                ? Arrays.stream(address.split("\\.", -1))
                        .map(part -> String.valueOf(Integer.parseInt(part)))
                        .collect(Collectors.joining("."))
                : address;
    }

    /** An address of version 4 or 6, without a zone. */
    public static Optional<InetAddress> parse(String text) {
        if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // not parseable, so the text is no address
        }
    }

    /** An address and a number of bits, as in {@code 10.0.0.0/8}. */
    public static Optional<Range> parseRange(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("0|[1-9]\\d{0,2}")) {
            return Optional.empty();
        }
        int bits = Integer.parseInt(text.substring(slash + 1));
        return parse(text.substring(0, slash))
                .filter(address -> bits <= address.getAddress().length * 8)
                .map(address -> new Range(address, bits));
    }

    /** The canonical form of an address, see RFC 5952. */
    public static String shown(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address.getHostAddress();
        }
        String[] words = address.getHostAddress().split("[:%]", -1);
        int from = -1;
        int length = 1;
        for (int start = 0; start < 8; start++) {
            int end = start;
            while (end < 8 && words[end].equals("0")) {
                end++;
            }
            if (end - start > length) {
                from = start;
                length = end - start;
            }
        }
        if (from < 0) {
            return String.join(":", java.util.List.of(words).subList(0, 8));
        }
        var all = java.util.List.of(words);
        return String.join(":", all.subList(0, from)) + "::" + String.join(":", all.subList(from + length, 8));
    }
}
