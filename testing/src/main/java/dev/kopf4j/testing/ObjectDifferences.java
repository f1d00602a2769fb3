package dev.kopf4j.testing;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where an object differs from what it was: by fields, with numbers compared by value. Confined; used once. */
final class ObjectDifferences {
    private final List<Difference> found = new ArrayList<>();

    /**
     * One of them.
     *
     * @param field its path, {@code []} for any element of a list
     * @param text what it was and is, for people
     */
    record Difference(String field, String text) {}

    private ObjectDifferences() {}

    static List<Difference> between(@Nullable Object before, @Nullable Object after) {
        ObjectDifferences differences = new ObjectDifferences();
        differences.compare(before, after, "");
        return differences.found;
    }

    private void compare(@Nullable Object before, @Nullable Object after, String at) {
        if (before instanceof Map<?, ?> one && after instanceof Map<?, ?> other) {
            Set<Object> keys = new LinkedHashSet<>(one.keySet());
            keys.addAll(other.keySet());
            keys.forEach(key -> compare(one.get(key), other.get(key), at.isEmpty() ? "" + key : at + "." + key));
        } else if (before instanceof List<?> one && after instanceof List<?> other && one.size() == other.size()) {
            for (int i = 0; i < one.size(); i++) {
                compare(one.get(i), other.get(i), at + "[]");
            }
        } else if (!isSame(before, after)) {
            found.add(new Difference(at, text(before, after, at)));
        }
    }

    private static String text(@Nullable Object before, @Nullable Object after, String at) {
        if (after == null) {
            return at + " is lost: it was " + before;
        }
        return before == null
                ? at + " was absent, and has become " + after
                : at + " was " + before + ", and has become " + after;
    }

    private static boolean isSame(@Nullable Object before, @Nullable Object after) {
        if (before instanceof Number one && after instanceof Number other) {
            return new BigDecimal(one.toString()).compareTo(new BigDecimal(other.toString())) == 0;
        }
        return Objects.equals(before, after);
    }
}
