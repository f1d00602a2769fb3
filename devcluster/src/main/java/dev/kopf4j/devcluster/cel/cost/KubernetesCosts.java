package dev.kopf4j.devcluster.cel.cost;

import dev.cel.common.types.CelKind;
import java.util.Optional;
import java.util.Set;

/**
 * What the functions cost that Kubernetes adds to the language, or whose cost it sets itself;
 * {@code pkg/cel/library/cost.go} of the apiserver library, v1.33. Pure.
 */
final class KubernetesCosts {
    /** Only two checks of rights fit into the limit of an expression. */
    private static final Estimate RIGHTS = Estimate.fixed(350_000);

    private static final Estimate LENGTH_OF_ADDRESS = new Estimate(4, 16);
    private static final Estimate SELECTOR = Estimate.fixed(10);
    private static final double REQUIREMENTS_PER_CHARACTER = 0.5;
    private static final double REQUIREMENT = 50;
    private static final int LENGTH_OF_FORMAT = 64;
    private static final int LENGTH_OF_FORMAT_PATTERN = 128;
    private static final Set<String> COMPARED_AT_ONCE = Set.of(
            "net.IP",
            "net.CIDR",
            "kubernetes.Quantity",
            "kubernetes.authorization.Authorizer",
            "kubernetes.authorization.PathCheck",
            "kubernetes.authorization.GroupCheck",
            "kubernetes.authorization.ResourceCheck",
            "kubernetes.authorization.Decision");

    private KubernetesCosts() {}

    /** The cost of a call; empty if the language says what it costs. */
    static Optional<CallCost> of(Call call) {
        return switch (call.function()) {
            case "serviceAccount", "path", "group", "resource", "subresource", "namespace", "name" ->
                Optional.of(CallCost.ONE);
            case "allowed", "reason", "error", "errored", "format.named" -> Optional.of(CallCost.ONE);
            case "masked", "prefixLength", "family", "isUnspecified", "isLoopback" -> Optional.of(CallCost.ONE);
            case "isLinkLocalMulticast", "isLinkLocalUnicast", "isGlobalUnicast" -> Optional.of(CallCost.ONE);
            case "sign", "asInteger", "isInteger", "asApproximateFloat", "isGreaterThan", "isLessThan" ->
                Optional.of(CallCost.ONE);
            case "compareTo", "add", "sub", "major", "minor", "patch" -> Optional.of(CallCost.ONE);
            case "getScheme", "getHostname", "getHost", "getPort", "getEscapedPath", "getQuery" ->
                Optional.of(CallCost.ONE);
            case "_==_" -> equality(call.argument(0), call.argument(1));
            default -> ofSizes(call);
        };
    }

    private static Optional<CallCost> ofSizes(Call call) {
        return switch (call.function()) {
            case "check" -> Optional.of(CallCost.of(RIGHTS));
            case "fieldSelector", "labelSelector" -> Optional.of(CallCost.of(selector(call.argument(0))));
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> Optional.of(CallCost.of(search(call)));
            case "cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver" ->
                Optional.of(CallCost.of(call.argument(0).traversal()));
            case "ip" ->
                Optional.of(
                        call.arguments().isEmpty()
                                ? CallCost.ONE
                                : CallCost.of(call.argument(0).traversal()));
            case "ip.isCanonical" ->
                Optional.of(CallCost.of(call.argument(0).size().times(2 * StandardCosts.PER_CHARACTER)));
            case "containsIP" -> Optional.of(CallCost.of(inRange(call, Estimate.ZERO)));
            case "containsCIDR" -> {
                Estimate masked = LENGTH_OF_ADDRESS.times(StandardCosts.PER_CHARACTER);
                yield Optional.of(CallCost.of(inRange(call, masked.plus(Estimate.ONE))));
            }
            case "validate" -> {
                double pattern = LENGTH_OF_FORMAT_PATTERN * StandardCosts.PER_PATTERN_CHARACTER;
                yield Optional.of(CallCost.of(call.argument(0).traversal().times(pattern)));
            }
            default -> TextCosts.of(call);
        };
    }

    private static Estimate selector(Operand text) {
        Estimate requirements = text.size().times(REQUIREMENTS_PER_CHARACTER).times(REQUIREMENT);
        return SELECTOR.plus(text.traversal()).plus(requirements);
    }

    /** Each element is compared once, and texts by their characters. */
    private static Estimate search(Call call) {
        Operand list = call.subject();
        Optional<Operand> element = list.element();
        if (element.isEmpty()) {
            return list.traversal();
        }
        CelKind kind = element.get().type().kind();
        boolean isText = kind == CelKind.STRING || kind == CelKind.BYTES;
        return list.size().times(isText ? Estimate.ONE.plus(element.get().traversal()) : Estimate.ONE);
    }

    private static Estimate inRange(Call call, Estimate more) {
        Estimate comparison = LENGTH_OF_ADDRESS
                .plus(LENGTH_OF_ADDRESS)
                .times(StandardCosts.PER_CHARACTER)
                .plus(more);
        boolean parses = call.argument(0).type().kind() == CelKind.STRING;
        return parses ? comparison.plus(call.argument(0).traversal()) : comparison;
    }

    private static Optional<CallCost> equality(Operand left, Operand right) {
        if (!left.type().equals(right.type())) {
            return Optional.empty();
        }
        String type = left.type().name();
        if (COMPARED_AT_ONCE.contains(type)) {
            return Optional.of(CallCost.ONE);
        }
        return switch (type) {
            case "kubernetes.NamedFormat" ->
                Optional.of(CallCost.of(new Estimate(1, LENGTH_OF_FORMAT).times(StandardCosts.PER_CHARACTER)));
            case "kubernetes.URL" ->
                Optional.of(CallCost.of(new Estimate(1, right.size().max()).times(StandardCosts.PER_CHARACTER)));
            default -> Optional.empty();
        };
    }

    /**
     * What functions of texts cost, and how long their results are; {@code pkg/cel/library/cost.go} of the apiserver
     * library, v1.33. Pure.
     */
    private static final class TextCosts {
        /** A text is read and another one is written. */
        private static final double COPY = 2 * StandardCosts.PER_CHARACTER;

        private TextCosts() {}

        static Optional<CallCost> of(Call call) {
            return switch (call.function()) {
                case "url" -> same(call.argument(0));
                case "lowerAscii", "upperAscii", "substring", "trim" -> same(call.subject());
                case "replace" -> Optional.of(replacement(call));
                case "split" -> {
                    Estimate size = call.subject().size();
                    Long limit = call.hasArguments(2) ? call.argument(1).number() : null;
                    yield Optional.of(
                            CallCost.of(size.times(COPY), new Estimate(0, limit == null ? size.max() : limit)));
                }
                case "join" -> {
                    Estimate size = joined(call);
                    yield Optional.of(CallCost.of(size.times(StandardCosts.PER_CHARACTER), size));
                }
                case "find", "findAll" -> {
                    Estimate cost = StandardCosts.match(call.subject(), call.argument(0));
                    yield Optional.of(CallCost.of(
                            cost, new Estimate(0, call.subject().size().max())));
                }
                default -> Optional.empty();
            };
        }

        private static Optional<CallCost> same(Operand text) {
            return Optional.of(CallCost.of(text.traversal(), text.size()));
        }

        private static Estimate joined(Call call) {
            Estimate elements = call.subject().size();
            Estimate texts = call.subject()
                    .element()
                    .map(element -> elements.times(element.size()))
                    .orElse(Estimate.ZERO);
            if (call.arguments().isEmpty()) {
                return texts;
            }
            Estimate separators = new Estimate(Math.max(0, elements.min() - 1), Math.max(0, elements.max() - 1));
            return texts.plus(call.argument(0).size().times(separators));
        }

        private static CallCost replacement(Call call) {
            Estimate text = call.subject().size();
            Estimate replaced = call.argument(0).size();
            Estimate by = call.argument(1).size();
            long shortest = Estimate.product(count(text.min(), replaced.max(), replaced.max() <= by.min()), by.min());
            long longest = Estimate.product(count(text.max(), replaced.min(), by.max() <= replaced.min()), by.max());
            boolean keepsShortest = replaced.max() == 0 || replaced.max() <= by.min();
            boolean keepsLongest = replaced.min() == 0 || by.max() <= replaced.min();
            Estimate result = new Estimate(
                    Estimate.sum(shortest, keepsShortest ? text.min() : 0),
                    Estimate.sum(longest, keepsLongest ? text.max() : 0));
            return CallCost.of(text.times(COPY), result);
        }

        /** How often a text is replaced; an empty one stands before each character and at the end. */
        private static long count(long length, long replaced, boolean never) {
            if (replaced == 0) {
                return Estimate.sum(length, 1);
            }
            return never ? 0 : Math.ceilDiv(length, replaced);
        }
    }
}
