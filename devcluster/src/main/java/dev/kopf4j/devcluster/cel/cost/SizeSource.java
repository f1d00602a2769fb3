package dev.kopf4j.devcluster.cel.cost;

import java.util.List;
import java.util.Optional;

/** Knows how big the values of variables can be, for instance by a schema. */
@FunctionalInterface
public interface SizeSource {
    /**
     * The number of characters, elements or entries of a value; empty if nothing is known.
     *
     * @param path the name of a variable, then names of fields, {@code @items}, {@code @keys} or {@code @values}
     */
    Optional<Estimate> sizeOf(List<String> path);
}
