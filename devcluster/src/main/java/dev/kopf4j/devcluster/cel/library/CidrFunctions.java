package dev.kopf4j.devcluster.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.net.InetAddress;
import java.util.List;

/**
 * Ranges of addresses: {@code cidr}, {@code isCIDR} and their members; {@code pkg/cel/library/cidr.go} of the apiserver
 * library, v1.33.
 */
final class CidrFunctions {
    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType TRUTH = SimpleType.BOOL;
    private static final CelType IP = KubernetesCelTypes.ADDRESS;
    private static final CelType CIDR = KubernetesCelTypes.RANGE;

    private CidrFunctions() {}

    static void declare(CelFunctions functions) {
        functions
                .global("cidr", CIDR, List.of(TEXT), given -> parse(given[0]))
                .global(
                        "isCIDR",
                        TRUTH,
                        List.of(TEXT),
                        given -> IpAddresses.parseRange((String) given[0]).isPresent())
                .global("string", TEXT, List.of(CIDR), given -> given[0].toString())
                .member("ip", IP, List.of(CIDR), given -> range(given).address())
                .member("masked", CIDR, List.of(CIDR), given -> range(given).masked())
                .member("prefixLength", SimpleType.INT, List.of(CIDR), given ->
                        (long) range(given).bits());
        containment(functions);
    }

    private static void containment(CelFunctions functions) {
        functions
                .member(
                        "containsIP",
                        TRUTH,
                        List.of(CIDR, IP),
                        given -> range(given).contains((InetAddress) given[1]))
                .member(
                        "containsIP",
                        TRUTH,
                        List.of(CIDR, TEXT),
                        given -> range(given).contains(IpFunctions.address(given[1])))
                .member(
                        "containsCIDR",
                        TRUTH,
                        List.of(CIDR, CIDR),
                        given -> range(given).contains((IpAddresses.Range) given[1]))
                .member(
                        "containsCIDR",
                        TRUTH,
                        List.of(CIDR, TEXT),
                        given -> range(given).contains(parse(given[1])));
    }

    private static IpAddresses.Range range(Object[] given) {
        return (IpAddresses.Range) given[0];
    }

    private static IpAddresses.Range parse(Object text) {
        return IpAddresses.parseRange((String) text)
                .orElseThrow(() -> new IllegalArgumentException("\"" + text + "\" is no CIDR"));
    }
}
