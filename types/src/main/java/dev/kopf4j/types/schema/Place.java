package dev.kopf4j.types.schema;

import dev.kopf4j.types.text.UnfitException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where in a custom resource a schema is made. Immutable.
 *
 * @param root the type of the resource
 * @param path the field, as in {@code spec.ports[]}
 * @param member the component or field of a Java type that it is, for people
 * @param enclosing the types around it
 */
public record Place(Class<?> root, String path, String member, List<Class<?>> enclosing) {
    /** Copies the list. */
    public Place {
        enclosing = List.copyOf(enclosing);
    }

    /** The whole object. */
    public static Place of(Class<?> root) {
        return new Place(root, "", "the type itself", List.of());
    }

    Place field(String name, String declared) {
        return new Place(root, path.isEmpty() ? name : path + "." + name, declared, enclosing);
    }

    Place elements() {
        return new Place(root, path + "[]", member, enclosing);
    }

    Place values() {
        return new Place(root, path + "{}", member, enclosing);
    }

    Place inside(Class<?> type) {
        List<Class<?>> more = new ArrayList<>(enclosing);
        more.add(type);
        return new Place(root, path, member, more);
    }

    /** The path as printer columns and selectable fields name it. */
    String jsonPath() {
        return "." + path.replace("[]", "[*]");
    }

    boolean isWhole() {
        return path.isEmpty();
    }

    boolean isDirectlyInStatus() {
        return path.equals("status");
    }

    /** An error that says where it is. */
    public UnfitException error(String problem) {
        return new UnfitException(root.getSimpleName() + ", field " + (path.isEmpty() ? "(root)" : path) + " (" + member
                + "): " + problem);
    }
}
