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
import dev.kopf4j.devcluster.cel.KubernetesTypes.Amount;
import dev.kopf4j.devcluster.schema.Addresses;
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
final class KubernetesLibrary implements CelCompilerLibrary, CelRuntimeLibrary {
    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType NUMBER = SimpleType.INT;
    private static final CelType TRUTH = SimpleType.BOOL;
    static final KubernetesLibrary INSTANCE = new KubernetesLibrary();
    private final Functions functions = new Functions();

    private KubernetesLibrary() {
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
        builder.addFunctionDeclarations(functions.declarations());
    }

    @Override
    public void setRuntimeOptions(CelRuntimeBuilder builder) {
        builder.addFunctionBindings(functions.bindings());
    }

    private void lists() {
        CelType element = TypeParamType.create("T");
        CelType list = ListType.create(element);
        functions
                .member("isSorted", TRUTH, List.of(list), given -> Lists.isSorted((List<?>) given[0]))
                .member("sum", element, List.of(list), given -> Lists.sum((List<?>) given[0]))
                .member("min", element, List.of(list), given -> Lists.extreme((List<?>) given[0], -1))
                .member("max", element, List.of(list), given -> Lists.extreme((List<?>) given[0], 1))
                .member("indexOf", NUMBER, List.of(list, element), given ->
                        (long) ((List<?>) given[0]).indexOf(given[1]))
                .member("lastIndexOf", NUMBER, List.of(list, element), given ->
                        (long) ((List<?>) given[0]).lastIndexOf(given[1]));
    }

    private void patterns() {
        functions
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
                        given -> TextFormat.apply((String) given[0], (List<?>) given[1]));
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
        CelType url = KubernetesTypes.URL;
        functions
                .global(
                        "url",
                        url,
                        List.of(TEXT),
                        given -> Urls.parse((String) given[0]).orElseThrow(() -> unreadable("URL", given[0])))
                .global(
                        "isURL",
                        TRUTH,
                        List.of(TEXT),
                        given -> Urls.parse((String) given[0]).isPresent())
                .member("getScheme", TEXT, List.of(url), given -> orEmpty(((URI) given[0]).getScheme()))
                .member("getHost", TEXT, List.of(url), given -> Urls.host((URI) given[0]))
                .member("getHostname", TEXT, List.of(url), given -> Urls.hostname((URI) given[0]))
                .member("getPort", TEXT, List.of(url), given -> Urls.port((URI) given[0]))
                .member("getEscapedPath", TEXT, List.of(url), given -> orEmpty(((URI) given[0]).getRawPath()))
                .member(
                        "getQuery",
                        MapType.create(TEXT, ListType.create(TEXT)),
                        List.of(url),
                        given -> Urls.query((URI) given[0]));
    }

    private static String orEmpty(@org.jspecify.annotations.Nullable String text) {
        return text == null ? "" : text;
    }

    private static IllegalArgumentException unreadable(String what, Object text) {
        return new IllegalArgumentException("\"" + text + "\" is no " + what);
    }

    private void quantities() {
        CelType quantity = KubernetesTypes.QUANTITY;
        functions
                .global("quantity", quantity, List.of(TEXT), given -> Amount.of((String) given[0]))
                .global("isQuantity", TRUTH, List.of(TEXT), given -> Quantities.isQuantity((String) given[0]))
                .member("sign", NUMBER, List.of(quantity), given ->
                        (long) ((Amount) given[0]).value().signum())
                .member("isInteger", TRUTH, List.of(quantity), given -> Quantities.isInteger((Amount) given[0]))
                .member(
                        "asInteger",
                        NUMBER,
                        List.of(quantity),
                        given -> ((Amount) given[0]).value().longValueExact())
                .member(
                        "asApproximateFloat",
                        SimpleType.DOUBLE,
                        List.of(quantity),
                        given -> ((Amount) given[0]).value().doubleValue());
        for (CelType other : List.of(quantity, NUMBER)) {
            functions
                    .member(
                            "add",
                            quantity,
                            List.of(quantity, other),
                            given -> new Amount(((Amount) given[0]).value().add(Quantities.value(given[1]))))
                    .member(
                            "sub",
                            quantity,
                            List.of(quantity, other),
                            given -> new Amount(((Amount) given[0]).value().subtract(Quantities.value(given[1]))));
        }
        functions
                .member("isGreaterThan", TRUTH, List.of(quantity, quantity), given -> Quantities.compare(given) > 0)
                .member("isLessThan", TRUTH, List.of(quantity, quantity), given -> Quantities.compare(given) < 0)
                .member("compareTo", NUMBER, List.of(quantity, quantity), given -> (long) Quantities.compare(given));
    }

    private static InetAddress address(Object text) {
        return Addresses.parse((String) text).orElseThrow(() -> unreadable("IP address", text));
    }

    private static Addresses.Range range(Object text) {
        return Addresses.parseRange((String) text).orElseThrow(() -> unreadable("CIDR", text));
    }

    private void addresses() {
        CelType ip = KubernetesTypes.ADDRESS;
        functions
                .global("ip", ip, List.of(TEXT), given -> address(given[0]))
                .global(
                        "isIP",
                        TRUTH,
                        List.of(TEXT),
                        given -> Addresses.parse((String) given[0]).isPresent())
                .global(
                        "ip.isCanonical",
                        TRUTH,
                        List.of(TEXT),
                        given -> Addresses.shown(address(given[0])).equals(given[0]))
                .global("string", TEXT, List.of(ip), given -> Addresses.shown((InetAddress) given[0]))
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
        CelType cidr = KubernetesTypes.RANGE;
        CelType ip = KubernetesTypes.ADDRESS;
        functions
                .global("cidr", cidr, List.of(TEXT), given -> range(given[0]))
                .global(
                        "isCIDR",
                        TRUTH,
                        List.of(TEXT),
                        given -> Addresses.parseRange((String) given[0]).isPresent())
                .global("string", TEXT, List.of(cidr), given -> given[0].toString())
                .member(
                        "containsIP",
                        TRUTH,
                        List.of(cidr, ip),
                        given -> ((Addresses.Range) given[0]).contains((InetAddress) given[1]))
                .member(
                        "containsIP",
                        TRUTH,
                        List.of(cidr, TEXT),
                        given -> ((Addresses.Range) given[0]).contains(address(given[1])))
                .member(
                        "containsCIDR",
                        TRUTH,
                        List.of(cidr, cidr),
                        given -> ((Addresses.Range) given[0]).contains((Addresses.Range) given[1]))
                .member(
                        "containsCIDR",
                        TRUTH,
                        List.of(cidr, TEXT),
                        given -> ((Addresses.Range) given[0]).contains(range(given[1])))
                .member("ip", ip, List.of(cidr), given -> ((Addresses.Range) given[0]).address())
                .member("masked", cidr, List.of(cidr), given -> ((Addresses.Range) given[0]).masked())
                .member("prefixLength", NUMBER, List.of(cidr), given -> (long) ((Addresses.Range) given[0]).bits());
    }

    private void formats() {
        CelType format = KubernetesTypes.FORMAT;
        functions
                .global("format.named", OptionalType.create(format), List.of(TEXT), given ->
                        (Optional<?>) NamedFormat.named((String) given[0]))
                .member(
                        "validate",
                        OptionalType.create(ListType.create(TEXT)),
                        List.of(format, TEXT),
                        given -> ((NamedFormat) given[0]).validate((String) given[1]));
        for (NamedFormat each : NamedFormat.ALL) {
            functions.global("format." + each.name(), format, List.of(), given -> each);
        }
    }
}
