package dev.kopf4j.devcluster.cel.cost;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelKind;
import dev.kopf4j.devcluster.cel.cost.LocalVariables.Local;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Estimates what an expression costs; {@code checker/cost.go} of cel-go, v0.23, with the options of
 * {@code pkg/cel/environment/base.go} of the apiserver library, v1.33: asking whether a field is there costs nothing.
 * Used for one expression.
 */
public final class ExpressionCost {
    private static final Estimate MAKES_LIST = Estimate.fixed(10);
    private static final Estimate MAKES_MAP = Estimate.fixed(30);
    private static final Estimate MAKES_STRUCT = Estimate.fixed(40);
    private final SizeTracking sizes;
    private final CallCosts calls;

    private ExpressionCost(CelAbstractSyntaxTree tree, SizeSource source) {
        this.sizes = new SizeTracking(tree, source);
        this.calls = new CallCosts(
                sizes,
                this::cost,
                part -> tree.getReference(part.id())
                        .map(CelReference::overloadIds)
                        .orElse(ImmutableList.of()));
    }

    /** The range of costs of a checked expression. */
    public static Estimate of(CelAbstractSyntaxTree tree, SizeSource source) {
        return new ExpressionCost(tree, source).cost(tree.getExpr());
    }

    private Estimate cost(CelExpr part) {
        return switch (part.getKind()) {
            case IDENT -> ident(part);
            case SELECT -> select(part);
            case CALL -> calls.of(part);
            case LIST -> list(part);
            case MAP -> map(part);
            case STRUCT ->
                part.struct().entries().stream()
                        .map(entry -> cost(entry.value()))
                        .reduce(MAKES_STRUCT, Estimate::plus);
            case COMPREHENSION ->
                isBinding(part.comprehension()) ? binding(part) : new ComprehensionCost(sizes, this::cost).of(part);
            default -> Estimate.ZERO;
        };
    }

    private Estimate ident(CelExpr part) {
        String name = part.ident().name();
        LocalVariables.Local local = sizes.variables.find(name);
        sizes.setPath(part, local == null ? FieldPath.of(name) : local.path());
        return Estimate.ONE;
    }

    private Estimate select(CelExpr part) {
        CelSelect select = part.select();
        Estimate operand = cost(select.operand());
        if (select.testOnly()) {
            return operand;
        }
        sizes.setPath(part, select.operand(), select.field());
        return switch (sizes.type(select.operand()).kind()) {
            case MAP, STRUCT, TYPE_PARAM -> operand.plus(Estimate.ONE);
            default -> operand;
        };
    }

    private Estimate list(CelExpr part) {
        Estimate sum = MAKES_LIST;
        @Nullable Estimate elements = null;
        for (CelExpr element : part.list().elements()) {
            sum = sum.plus(cost(element));
            Estimate size = sizes.sizeOrUnknown(element);
            elements = elements == null ? size : elements.union(size);
        }
        sizes.setEntries(part, new EntrySize(true, Estimate.ONE, elements == null ? Estimate.ZERO : elements));
        return sum;
    }

    private Estimate map(CelExpr part) {
        Estimate sum = MAKES_MAP;
        @Nullable EntrySize entries = null;
        for (CelExpr.CelMap.Entry entry : part.map().entries()) {
            sum = sum.plus(cost(entry.key())).plus(cost(entry.value()));
            EntrySize size = new EntrySize(false, sizes.sizeOrUnknown(entry.key()), sizes.sizeOrUnknown(entry.value()));
            entries = entries == null ? size : EntrySize.union(entries, size);
        }
        sizes.setEntries(part, entries == null ? new EntrySize(false, Estimate.ZERO, Estimate.ZERO) : entries);
        return sum;
    }

    /** A variable that a macro binds is written as a loop that never runs. */
    private static boolean isBinding(CelComprehension loop) {
        CelExpr condition = loop.loopCondition();
        return loop.iterRange().getKind() == CelExpr.ExprKind.Kind.LIST
                && loop.iterRange().list().elements().isEmpty()
                && condition.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && condition.constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
                && !condition.constant().booleanValue()
                && !loop.accuVar().equals("__result__");
    }

    private Estimate binding(CelExpr part) {
        CelComprehension loop = part.comprehension();
        Estimate before = cost(loop.iterRange()).plus(cost(loop.accuInit()));
        sizes.push(loop.accuVar(), loop.accuInit());
        Estimate cost = before.plus(cost(loop.result()));
        sizes.variables.pop(loop.accuVar());
        sizes.copy(part, loop.result());
        return cost;
    }

    /**
     * What a loop costs: its step and its condition for each element; {@code checker/cost.go} of cel-go, v0.23.
     *
     * @param costs the costs of parts
     */
    private record ComprehensionCost(SizeTracking sizes, Function<CelExpr, Estimate> costs) {
        Estimate of(CelExpr part) {
            CelComprehension loop = part.comprehension();
            Estimate cost = costs.apply(loop.iterRange()).plus(costs.apply(loop.accuInit()));
            sizes.push(loop.accuVar(), loop.accuInit());
            Estimate each = step(loop);
            cost = cost.plus(costs.apply(loop.result()));
            sizes.variables.pop(loop.accuVar());
            Estimate count = sizes.sizeOrUnknown(loop.iterRange());
            switch (loop.accuInit().getKind()) {
                case CONSTANT -> sizes.setSize(part, sizes.size(loop.accuInit()));
                case LIST, MAP -> {
                    sizes.setSize(part, count);
                    sizes.setEntries(part, sizes.entries(loop.loopStep()));
                }
                default -> {} // nothing is known of other results
            }
            return cost.plus(count.times(each));
        }

        private Estimate step(CelComprehension loop) {
            boolean two = !loop.iterVar2().isEmpty();
            CelExpr range = loop.iterRange();
            EntrySize entries = sizes.entries(range);
            boolean list = entries == null ? sizes.type(range).kind() == CelKind.LIST : entries.list();
            @Nullable Estimate keys = entries == null ? null : entries.key();
            @Nullable Estimate values = entries == null ? null : entries.value();
            if (two) {
                push(loop.iterVar(), range, list ? "@indices" : "@keys", keys);
                push(loop.iterVar2(), range, list ? "@items" : "@values", values);
            } else {
                push(loop.iterVar(), range, list ? "@items" : "@keys", list ? values : keys);
            }
            Estimate cost = costs.apply(loop.loopCondition()).plus(costs.apply(loop.loopStep()));
            sizes.variables.pop(loop.iterVar());
            if (two) {
                sizes.variables.pop(loop.iterVar2());
            }
            return cost;
        }

        private void push(String variable, CelExpr range, String step, @Nullable Estimate size) {
            sizes.variables.push(variable, new Local(sizes.path(range).then(step), size, null));
        }
    }

    /**
     * What calls cost with their arguments; {@code checker/cost.go} of cel-go, v0.23. If several overloads are
     * possible, the range covers all.
     *
     * @param costs the costs of parts
     * @param overloads which functions a call can mean
     */
    private record CallCosts(
            SizeTracking sizes, Function<CelExpr, Estimate> costs, Function<CelExpr, List<String>> overloads) {
        Estimate of(CelExpr part) {
            CelCall call = part.call();
            if (call.function().equals("dyn")) {
                Estimate cost = costs.apply(call.args().getFirst());
                sizes.copy(part, call.args().getFirst());
                return cost.plus(Estimate.ONE);
            }
            List<Estimate> arguments = new ArrayList<>();
            List<Operand> operands = new ArrayList<>();
            for (CelExpr argument : call.args()) {
                arguments.add(costs.apply(argument));
                operands.add(sizes.operand(argument));
            }
            Estimate target = call.target().map(costs).orElse(Estimate.ZERO);
            Optional<Operand> targetOperand = call.target().map(sizes::operand);
            Estimate cost = null;
            Estimate result = null;
            for (String overload : overloads.apply(part)) {
                Call each = new Call(call.function(), overload, targetOperand, operands);
                CallCost own = cost(part, each, arguments);
                cost = cost == null ? own.cost() : cost.union(own.cost());
                result = union(result, own.result().orElse(null));
                result = ofElement(part, overload, result);
            }
            if (cost == null) {
                return Estimate.ZERO;
            }
            sizes.setSize(part, result);
            return target.plus(cost);
        }

        private static @Nullable Estimate union(@Nullable Estimate left, @Nullable Estimate right) {
            if (left == null || right == null) {
                return left == null ? right : left;
            }
            return left.union(right);
        }

        /** What is taken from a list or a map has the size of its elements. */
        private @Nullable Estimate ofElement(CelExpr part, String overload, @Nullable Estimate result) {
            Estimate size = result;
            if (overload.equals("index_list") || overload.equals("index_map")) {
                CelExpr container = part.call().args().getFirst();
                EntrySize entries = sizes.entries(container);
                size = entries == null ? null : entries.value();
                sizes.setPath(part, container, overload.equals("index_list") ? "@items" : "@values");
            }
            return size == null ? sizes.size(part) : size;
        }

        private CallCost cost(CelExpr part, Call call, List<Estimate> arguments) {
            switch (call.overload()) {
                case "logical_or", "logical_and" -> {
                    Estimate both = arguments.get(0).plus(arguments.get(1));
                    return CallCost.of(new Estimate(arguments.get(0).min(), both.max()));
                }
                case "conditional" -> {
                    List<CelExpr> parts = part.call().args();
                    sizes.setEntries(part, EntrySize.union(sizes.entries(parts.get(1)), sizes.entries(parts.get(2))));
                    return CallCost.of(
                            arguments.get(0).plus(arguments.get(1).union(arguments.get(2))),
                            call.argument(1).size().union(call.argument(2).size()));
                }
                case "add_string", "add_bytes", "add_list" -> {
                    List<CelExpr> parts = part.call().args();
                    sizes.setEntries(part, EntrySize.union(sizes.entries(parts.get(0)), sizes.entries(parts.get(1))));
                }
                default -> {} // sizes of entries matter for operators only
            }
            CallCost own = KubernetesCosts.of(call).orElseGet(() -> StandardCosts.of(call));
            Estimate all = arguments.stream().reduce(own.cost(), Estimate::plus);
            return new CallCost(all, own.result());
        }

        /**
         * What the functions cost that Kubernetes adds to the language, or whose cost it sets itself;
         * {@code pkg/cel/library/cost.go} of the apiserver library, v1.33. Pure.
         */
        private static final class KubernetesCosts {
            /** Only two checks of rights fit into the limit of an expression. */
            private static final Estimate RIGHTS = Estimate.fixed(350_000);

            private static final Estimate LENGTH_OF_ADDRESS = new Estimate(4, 16);
            private static final Estimate SELECTOR = Estimate.fixed(10);
            private static final double REQUIREMENTS_PER_CHARACTER = 0.5;
            private static final double REQUIREMENT = 50;
            private static final int LENGTH_OF_FORMAT = 64;
            private static final int LENGTH_OF_FORMAT_PATTERN = 128;
            private static final Set<String> OF_COST_ONE =
                    Set.of(("serviceAccount path group resource subresource namespace name allowed reason error errored"
                                    + " format.named masked prefixLength family isUnspecified isLoopback"
                                    + " isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast sign asInteger"
                                    + " isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major"
                                    + " minor patch getScheme getHostname getHost getPort getEscapedPath getQuery")
                            .split(" "));
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
                if (OF_COST_ONE.contains(call.function())) {
                    return Optional.of(CallCost.ONE);
                }
                return switch (call.function()) {
                    case "_==_" -> equality(call.argument(0), call.argument(1));
                    case "check" -> Optional.of(CallCost.of(RIGHTS));
                    case "fieldSelector", "labelSelector" -> Optional.of(CallCost.of(selector(call.argument(0))));
                    case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" ->
                        Optional.of(CallCost.of(search(call)));
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
                        yield Optional.of(
                                CallCost.of(call.argument(0).traversal().times(pattern)));
                    }
                    default -> TextCosts.of(call);
                };
            }

            private static Estimate selector(Operand text) {
                Estimate requirements =
                        text.size().times(REQUIREMENTS_PER_CHARACTER).times(REQUIREMENT);
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
                return list.size()
                        .times(isText ? Estimate.ONE.plus(element.get().traversal()) : Estimate.ONE);
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
                        Optional.of(
                                CallCost.of(new Estimate(1, right.size().max()).times(StandardCosts.PER_CHARACTER)));
                    default -> Optional.empty();
                };
            }

            /**
             * What functions of texts cost, and how long their results are; {@code pkg/cel/library/cost.go} of the
             * apiserver library, v1.33. Pure.
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
                    Estimate separators =
                            new Estimate(Math.max(0, elements.min() - 1), Math.max(0, elements.max() - 1));
                    return texts.plus(call.argument(0).size().times(separators));
                }

                private static CallCost replacement(Call call) {
                    Estimate text = call.subject().size();
                    Estimate replaced = call.argument(0).size();
                    Estimate by = call.argument(1).size();
                    long shortest =
                            Estimate.product(count(text.min(), replaced.max(), replaced.max() <= by.min()), by.min());
                    long longest =
                            Estimate.product(count(text.max(), replaced.min(), by.max() <= replaced.min()), by.max());
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
    }
}
