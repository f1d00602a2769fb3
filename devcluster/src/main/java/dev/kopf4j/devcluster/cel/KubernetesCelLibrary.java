package dev.kopf4j.devcluster.cel;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import dev.kopf4j.devcluster.cel.KubernetesCelTypes.CelQuantity;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The functions that Kubernetes adds to the language, see its documentation on <a
 * href="https://kubernetes.io/docs/reference/using-api/cel/">CEL in Kubernetes</a>. Immutable.
 */
final class KubernetesCelLibrary implements CelCompilerLibrary, CelRuntimeLibrary {
    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType NUMBER = SimpleType.INT;
    private static final CelType TRUTH = SimpleType.BOOL;
    static final KubernetesCelLibrary INSTANCE = new KubernetesCelLibrary();
    private final CelFunctions celFunctions = new CelFunctions();

    private KubernetesCelLibrary() {
        lists();
        patterns();
        urls();
        quantities();
        addresses();
        ranges();
        formats();
    }

    @Override
    public void setCheckerOptions(CelCheckerBuilder builder) {
        builder.addFunctionDeclarations(celFunctions.declarations());
    }

    @Override
    public void setRuntimeOptions(CelRuntimeBuilder builder) {
        builder.addFunctionBindings(celFunctions.bindings());
    }

    private void lists() {
        CelType element = TypeParamType.create("T");
        CelType list = ListType.create(element);
        celFunctions
                .member("isSorted", TRUTH, List.of(list), given -> ListFunctions.isSorted((List<?>) given[0]))
                .member("sum", element, List.of(list), given -> ListFunctions.sum((List<?>) given[0]))
                .member("min", element, List.of(list), given -> ListFunctions.extreme((List<?>) given[0], -1))
                .member("max", element, List.of(list), given -> ListFunctions.extreme((List<?>) given[0], 1))
                .member("indexOf", NUMBER, List.of(list, element), given ->
                        (long) ((List<?>) given[0]).indexOf(given[1]))
                .member("lastIndexOf", NUMBER, List.of(list, element), given ->
                        (long) ((List<?>) given[0]).lastIndexOf(given[1]));
    }

    private void patterns() {
        celFunctions
                .member(
                        "find",
                        TEXT,
                        List.of(TEXT, TEXT),
                        given -> found(given, 1).stream().findFirst().orElse(""))
                .member("findAll", ListType.create(TEXT), List.of(TEXT, TEXT), given -> found(given, -1))
                .member(
                        "findAll",
                        ListType.create(TEXT),
                        List.of(TEXT, TEXT, NUMBER),
                        given -> found(given, (Long) given[2]))
                .member(
                        "format",
                        TEXT,
                        List.of(TEXT, ListType.create(SimpleType.DYN)),
                        given -> StringFormatFunction.apply((String) given[0], (List<?>) given[1]));
    }

    private static List<String> found(Object[] given, long most) {
        return Pattern.compile((String) given[1])
                .matcher((String) given[0])
                .results()
                .map(MatchResult::group)
                .limit(most < 0 ? Long.MAX_VALUE : most)
                .toList();
    }

    private void urls() {
        CelType url = KubernetesCelTypes.URL;
        celFunctions
                .global(
                        "url",
                        url,
                        List.of(TEXT),
                        given -> UrlFunctions.parse((String) given[0]).orElseThrow(() -> unreadable("URL", given[0])))
                .global(
                        "isURL",
                        TRUTH,
                        List.of(TEXT),
                        given -> UrlFunctions.parse((String) given[0]).isPresent())
                .member("getScheme", TEXT, List.of(url), given -> orEmpty(((URI) given[0]).getScheme()))
                .member("getHost", TEXT, List.of(url), given -> UrlFunctions.host((URI) given[0]))
                .member("getHostname", TEXT, List.of(url), given -> UrlFunctions.hostname((URI) given[0]))
                .member("getPort", TEXT, List.of(url), given -> UrlFunctions.port((URI) given[0]))
                .member("getEscapedPath", TEXT, List.of(url), given -> orEmpty(((URI) given[0]).getRawPath()))
                .member(
                        "getQuery",
                        MapType.create(TEXT, ListType.create(TEXT)),
                        List.of(url),
                        given -> UrlFunctions.query((URI) given[0]));
    }

    private static String orEmpty(@org.jspecify.annotations.Nullable String text) {
        return text == null ? "" : text;
    }

    private static IllegalArgumentException unreadable(String what, Object text) {
        return new IllegalArgumentException("\"" + text + "\" is no " + what);
    }

    private void quantities() {
        CelType quantity = KubernetesCelTypes.QUANTITY;
        celFunctions
                .global("quantity", quantity, List.of(TEXT), given -> CelQuantity.of((String) given[0]))
                .global("isQuantity", TRUTH, List.of(TEXT), given -> QuantityFunctions.isQuantity((String) given[0]))
                .member("sign", NUMBER, List.of(quantity), given ->
                        (long) ((CelQuantity) given[0]).value().signum())
                .member(
                        "isInteger",
                        TRUTH,
                        List.of(quantity),
                        given -> QuantityFunctions.isInteger((CelQuantity) given[0]))
                .member(
                        "asInteger",
                        NUMBER,
                        List.of(quantity),
                        given -> ((CelQuantity) given[0]).value().longValueExact())
                .member(
                        "asApproximateFloat",
                        SimpleType.DOUBLE,
                        List.of(quantity),
                        given -> ((CelQuantity) given[0]).value().doubleValue());
        for (CelType other : List.of(quantity, NUMBER)) {
            celFunctions
                    .member(
                            "add",
                            quantity,
                            List.of(quantity, other),
                            given -> new CelQuantity(
                                    ((CelQuantity) given[0]).value().add(QuantityFunctions.value(given[1]))))
                    .member(
                            "sub",
                            quantity,
                            List.of(quantity, other),
                            given -> new CelQuantity(
                                    ((CelQuantity) given[0]).value().subtract(QuantityFunctions.value(given[1]))));
        }
        celFunctions
                .member(
                        "isGreaterThan",
                        TRUTH,
                        List.of(quantity, quantity),
                        given -> QuantityFunctions.compare(given) > 0)
                .member("isLessThan", TRUTH, List.of(quantity, quantity), given -> QuantityFunctions.compare(given) < 0)
                .member("compareTo", NUMBER, List.of(quantity, quantity), given ->
                        (long) QuantityFunctions.compare(given));
    }

    private static InetAddress address(Object text) {
        return IpAddresses.parse((String) text).orElseThrow(() -> unreadable("IP address", text));
    }

    private static IpAddresses.Range range(Object text) {
        return IpAddresses.parseRange((String) text).orElseThrow(() -> unreadable("CIDR", text));
    }

    private void addresses() {
        CelType ip = KubernetesCelTypes.ADDRESS;
        celFunctions
                .global("ip", ip, List.of(TEXT), given -> address(given[0]))
                .global(
                        "isIP",
                        TRUTH,
                        List.of(TEXT),
                        given -> IpAddresses.parse((String) given[0]).isPresent())
                .global(
                        "ip.isCanonical",
                        TRUTH,
                        List.of(TEXT),
                        given -> IpAddresses.shown(address(given[0])).equals(given[0]))
                .global("string", TEXT, List.of(ip), given -> IpAddresses.shown((InetAddress) given[0]))
                .member(
                        "family",
                        NUMBER,
                        List.of(ip),
                        given -> ((InetAddress) given[0]).getAddress().length == 4 ? 4L : 6L)
                .member("isUnspecified", TRUTH, List.of(ip), given -> ((InetAddress) given[0]).isAnyLocalAddress())
                .member("isLoopback", TRUTH, List.of(ip), given -> ((InetAddress) given[0]).isLoopbackAddress())
                .member("isLinkLocalMulticast", TRUTH, List.of(ip), given -> ((InetAddress) given[0]).isMCLinkLocal())
                .member(
                        "isLinkLocalUnicast",
                        TRUTH,
                        List.of(ip),
                        given -> ((InetAddress) given[0]).isLinkLocalAddress())
                .member("isGlobalUnicast", TRUTH, List.of(ip), given -> isGlobal((InetAddress) given[0]));
    }

    private static boolean isGlobal(InetAddress address) {
        return !address.isAnyLocalAddress()
                && !address.isLoopbackAddress()
                && !address.isMulticastAddress()
                && !address.isLinkLocalAddress()
                && !address.getHostAddress().equals("255.255.255.255");
    }

    private void ranges() {
        CelType cidr = KubernetesCelTypes.RANGE;
        CelType ip = KubernetesCelTypes.ADDRESS;
        celFunctions
                .global("cidr", cidr, List.of(TEXT), given -> range(given[0]))
                .global(
                        "isCIDR",
                        TRUTH,
                        List.of(TEXT),
                        given -> IpAddresses.parseRange((String) given[0]).isPresent())
                .global("string", TEXT, List.of(cidr), given -> given[0].toString())
                .member(
                        "containsIP",
                        TRUTH,
                        List.of(cidr, ip),
                        given -> ((IpAddresses.Range) given[0]).contains((InetAddress) given[1]))
                .member(
                        "containsIP",
                        TRUTH,
                        List.of(cidr, TEXT),
                        given -> ((IpAddresses.Range) given[0]).contains(address(given[1])))
                .member(
                        "containsCIDR",
                        TRUTH,
                        List.of(cidr, cidr),
                        given -> ((IpAddresses.Range) given[0]).contains((IpAddresses.Range) given[1]))
                .member(
                        "containsCIDR",
                        TRUTH,
                        List.of(cidr, TEXT),
                        given -> ((IpAddresses.Range) given[0]).contains(range(given[1])))
                .member("ip", ip, List.of(cidr), given -> ((IpAddresses.Range) given[0]).address())
                .member("masked", cidr, List.of(cidr), given -> ((IpAddresses.Range) given[0]).masked())
                .member("prefixLength", NUMBER, List.of(cidr), given -> (long) ((IpAddresses.Range) given[0]).bits());
    }

    private void formats() {
        CelType format = KubernetesCelTypes.FORMAT;
        celFunctions
                .global("format.named", OptionalType.create(format), List.of(TEXT), given ->
                        (Optional<?>) NamedFormat.named((String) given[0]))
                .member(
                        "validate",
                        OptionalType.create(ListType.create(TEXT)),
                        List.of(format, TEXT),
                        given -> ((NamedFormat) given[0]).validate((String) given[1]));
        for (NamedFormat each : NamedFormat.ALL) {
            celFunctions.global("format." + each.name(), format, List.of(), given -> each);
        }
    }
}
