package dev.kopf4j.devcluster.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Predicate;

/**
 * IP addresses: {@code ip}, {@code isIP} and their members; {@code pkg/cel/library/ip.go} of the apiserver library,
 * v1.33.
 */
final class IpFunctions {
    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType IP = KubernetesCelTypes.ADDRESS;

    private IpFunctions() {}

    static void declare(CelFunctions functions) {
        functions
                .global("ip", IP, List.of(TEXT), given -> address(given[0]))
                .global(
                        "isIP",
                        SimpleType.BOOL,
                        List.of(TEXT),
                        given -> IpAddresses.parse((String) given[0]).isPresent())
                .global(
                        "ip.isCanonical",
                        SimpleType.BOOL,
                        List.of(TEXT),
                        given -> IpAddresses.shown(address(given[0])).equals(given[0]))
                .global("string", TEXT, List.of(IP), given -> IpAddresses.shown((InetAddress) given[0]))
                .member("family", SimpleType.INT, List.of(IP), given -> family((InetAddress) given[0]));
        question(functions, "isUnspecified", InetAddress::isAnyLocalAddress);
        question(functions, "isLoopback", InetAddress::isLoopbackAddress);
        question(functions, "isLinkLocalMulticast", InetAddress::isMCLinkLocal);
        question(functions, "isLinkLocalUnicast", InetAddress::isLinkLocalAddress);
        question(functions, "isGlobalUnicast", IpFunctions::isGlobal);
    }

    private static void question(CelFunctions functions, String name, Predicate<InetAddress> predicate) {
        functions.member(name, SimpleType.BOOL, List.of(IP), given -> predicate.test((InetAddress) given[0]));
    }

    /** Reads an address; the expression fails if the text is no address. */
    static InetAddress address(Object text) {
        return IpAddresses.parse((String) text)
                .orElseThrow(() -> new IllegalArgumentException("\"" + text + "\" is no IP address"));
    }

    private static long family(InetAddress address) {
        return address.getAddress().length == 4 ? 4 : 6;
    }

    private static boolean isGlobal(InetAddress address) {
        return !address.isAnyLocalAddress()
                && !address.isLoopbackAddress()
                && !address.isMulticastAddress()
                && !address.isLinkLocalAddress()
                && !address.getHostAddress().equals("255.255.255.255");
    }
}
