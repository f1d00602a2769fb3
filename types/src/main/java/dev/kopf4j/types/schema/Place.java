package dev.kopf4j.types.schema;

import dev.kopf4j.crd.Schema;
import dev.kopf4j.types.text.UnfitException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where in a custom resource a schema is made. Immutable.
 *
 * @param root the type of the resource
 * @param path the field, as in {@code spec.ports[]}; what means something else in a path has a backslash before it
 * @param member the component or field of a Java type that it is, for people
 * @param enclosing the types around it
 * @param isOpen true if servers keep here what the schema does not say
 * @param unwritten fields that Jackson does not write here, by an annotation of the member
 */
public record Place(
        Class<?> root, String path, String member, List<Class<?>> enclosing, boolean isOpen, Set<String> unwritten) {
    /** What ends the name of a field in a JSON path. */
    private static final Pattern END_OF_NAME = Pattern.compile("[.,\\[\\]$@{}\\s]");

    /** What is not in the path of a selectable field. */
    private static final Pattern BEYOND_FIELDS = Pattern.compile("\\[]|\\{}|\\\\");

    /** Copies the list and the set. */
    public Place {
        enclosing = List.copyOf(enclosing);
        unwritten = Set.copyOf(unwritten);
    }

    /** The whole object. */
    public static Place of(Class<?> root) {
        return new Place(root, "", "the type itself", List.of(), false, Set.of());
    }

    /** A field of the object here. */
    public Place field(String name, String declared) {
        String escaped = END_OF_NAME.matcher(name).replaceAll("\\\\$0");
        return new Place(root, path.isEmpty() ? escaped : path + "." + escaped, declared, enclosing, false, Set.of());
    }

    Place elements() {
        return new Place(root, path + "[]", member, enclosing, false, unwritten);
    }

    Place values() {
        return new Place(root, path + "{}", member, enclosing, false, unwritten);
    }

    Place inside(Class<?> type) {
        List<Class<?>> more = new ArrayList<>(enclosing);
        more.add(type);
        return new Place(root, path, member, more, isOpen, unwritten);
    }

    /** The same place, with what its annotation, if any, says of it. */
    Place with(@Nullable Schema schema) {
        boolean open = isOpen || (schema != null && new SchemaAttributes(schema, this).keepsUnknownFields());
        return new Place(root, path, member, enclosing, open, unwritten);
    }

    /** The same place, where Jackson does not write these fields. */
    Place without(Set<String> fields) {
        return new Place(root, path, member, enclosing, isOpen, fields);
    }

    /** The path as printer columns name it. */
    String columnPath() {
        if (path.contains("{}")) {
            throw error("no path leads to the values of a mapping, so that they are no printer column; leave it out, or"
                    + " give the path of one value: @PrinterColumn(path = \".spec.ports.http\")");
        }
        return "." + path.replace("[]", "[*]");
    }

    /** The path as selectable fields name it. */
    String selectablePath() {
        if (BEYOND_FIELDS.matcher(path).find()) {
            throw error(
                    "selectable fields are not in lists or mappings, and have no dots, brackets or the like in their"
                            + " names;"
                            + " leave selectable = true out");
        }
        return "." + path;
    }

    /** The name of the field itself. */
    String name() {
        String[] names = path.split("(?<!\\\\)\\.", -1);
        return names[names.length - 1].replace("\\", "");
    }

    boolean isWhole() {
        return path.isEmpty();
    }

    boolean isInStatus() {
        return path.matches("status([.\\[{].*)?");
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
