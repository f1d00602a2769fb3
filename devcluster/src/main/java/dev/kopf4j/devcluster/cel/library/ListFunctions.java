package dev.kopf4j.devcluster.cel.library;

import com.google.common.primitives.UnsignedLong;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.util.List;

/**
 * Lists: sorted, sum, smallest, biggest, positions; {@code pkg/cel/library/lists.go} of the apiserver library, v1.33.
 */
final class ListFunctions {
    private ListFunctions() {}

    static void declare(CelFunctions functions) {
        CelType element = TypeParamType.create("T");
        CelType list = ListType.create(element);
        functions
                .member("isSorted", SimpleType.BOOL, List.of(list), given -> isSorted((List<?>) given[0]))
                .member("sum", element, List.of(list), given -> sum((List<?>) given[0]))
                .member("min", element, List.of(list), given -> extreme((List<?>) given[0], -1))
                .member("max", element, List.of(list), given -> extreme((List<?>) given[0], 1))
                .member("indexOf", SimpleType.INT, List.of(list, element), given ->
                        (long) ((List<?>) given[0]).indexOf(given[1]))
                .member("lastIndexOf", SimpleType.INT, List.of(list, element), given ->
                        (long) ((List<?>) given[0]).lastIndexOf(given[1]));
    }

    private static boolean isSorted(List<?> list) {
        for (int index = 1; index < list.size(); index++) {
            if (compare(list.get(index - 1), list.get(index)) > 0) {
                return false;
            }
        }
        return true;
    }

    /** The smallest element for -1, the biggest one for 1. */
    private static Object extreme(List<?> list, int side) {
        if (list.isEmpty()) {
            throw new IllegalArgumentException((side < 0 ? "min" : "max") + " called on empty list");
        }
        Object extreme = list.getFirst();
        for (Object each : list) {
            extreme = compare(each, extreme) * side > 0 ? each : extreme;
        }
        return extreme;
    }

    private static Object sum(List<?> list) {
        if (list.isEmpty()) {
            return 0L;
        }
        return switch (list.getFirst()) {
            case Double _ ->
                list.stream().mapToDouble(each -> ((Number) each).doubleValue()).sum();
            case UnsignedLong _ ->
                list.stream().map(UnsignedLong.class::cast).reduce(UnsignedLong.ZERO, UnsignedLong::plus);
            case Duration _ ->
                list.stream()
                        .map(Duration.class::cast)
                        .map(each -> java.time.Duration.ofSeconds(each.getSeconds(), each.getNanos()))
                        .reduce(java.time.Duration.ZERO, java.time.Duration::plus);
            default ->
                list.stream().mapToLong(each -> ((Number) each).longValue()).reduce(0, Math::addExact);
        };
    }

    private static int compare(Object left, Object right) {
        return switch (left) {
            case Boolean truth -> truth.compareTo((Boolean) right);
            case String text -> text.compareTo((String) right);
            case UnsignedLong number -> number.compareTo((UnsignedLong) right);
            case Number number
            when number instanceof Double || right instanceof Double ->
                Double.compare(number.doubleValue(), ((Number) right).doubleValue());
            case Number number -> Long.compare(number.longValue(), ((Number) right).longValue());
            case Timestamp time -> instant(time).compareTo(instant((Timestamp) right));
            case Duration duration -> {
                Duration other = (Duration) right;
                int seconds = Long.compare(duration.getSeconds(), other.getSeconds());
                yield seconds != 0 ? seconds : Integer.compare(duration.getNanos(), other.getNanos());
            }
            case ByteString bytes ->
                ByteString.unsignedLexicographicalComparator().compare(bytes, (ByteString) right);
            default ->
                throw new IllegalArgumentException(
                        "no order of " + left.getClass().getSimpleName());
        };
    }

    private static java.time.Instant instant(Timestamp time) {
        return java.time.Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }
}
