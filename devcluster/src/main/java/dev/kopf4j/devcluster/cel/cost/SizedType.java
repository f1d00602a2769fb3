package dev.kopf4j.devcluster.cel.cost;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How big the values of a schema can be; {@code pkg/cel/types.go} of the apiserver library, v1.33.
 *
 * @param most the greatest number of characters, elements or entries; 0 for everything else
 * @param least the smallest number of bytes as JSON
 * @param fields of objects, by their escaped names
 * @param element of lists and maps; null for others
 */
public record SizedType(
        long most,
        long least,
        Map<String, SizedType> fields,
        @Nullable SizedType element) implements SizeSource {
    /** The size of the greatest request in bytes. */
    public static final long REQUEST = 3 * 1024 * 1024;

    /** A value that is neither a list nor a map nor an object. */
    public static SizedType scalar(long most, long least) {
        return new SizedType(most, least, Map.of(), null);
    }

    @Override
    public Optional<Estimate> sizeOf(List<String> path) {
        SizedType found = this;
        for (String step : path.subList(1, path.size())) { // the variable is always this value, or its former state
            found = switch (step) {
                case "@items", "@values" -> found.element;
                case "@keys" -> found.element == null ? null : scalar(0, 2);
                default -> found.fields.get(step);
            };
            if (found == null) {
                return Optional.empty();
            }
        }
        return Optional.of(new Estimate(0, found.most));
    }
}
