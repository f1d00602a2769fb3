package dev.kopf4j.devcluster.cel.cost;

import java.util.Arrays;
import java.util.List;

/**
 * Where a value comes from: a variable, then names of fields, {@code @items}, {@code @keys} or {@code @values}.
 *
 * <p>Paths share memory as Go's slices do: of two paths that continue the same one, the later can overwrite the
 * earlier. A real server's estimates contain what follows from that, so that whoever estimates more exactly accepts
 * other definitions. Estimates of one expression only, on one thread.
 */
final class FieldPath {
    static final FieldPath NONE = new FieldPath(new String[0], 0);
    private final String[] steps;
    private final int length;

    private FieldPath(String[] steps, int length) {
        this.steps = steps;
        this.length = length;
    }

    static FieldPath of(String variable) {
        return new FieldPath(new String[] {variable}, 1);
    }

    FieldPath then(String step) {
        String[] memory = length < steps.length ? steps : Arrays.copyOf(steps, Math.max(1, 2 * length));
        memory[length] = step;
        return new FieldPath(memory, length + 1);
    }

    boolean isEmpty() {
        return length == 0;
    }

    List<String> steps() {
        return List.of(Arrays.copyOf(steps, length));
    }
}
