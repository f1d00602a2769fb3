package dev.kopf4j.engine.recording;

import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * Whom lines of a record concern, as it is written on a command line. Immutable.
 *
 * @param kind the kind, or the plural name of its resource, with or without the group; empty for any
 * @param name the name; empty for all objects
 * @param namespace the namespace; empty for any
 */
public record RecordedObject(String kind, String name, String namespace) {
    /** Any object, and what the operator does for none. */
    public static final RecordedObject ANY = new RecordedObject("", "", "");

    /**
     * Reads {@code KIND/NAME}, {@code KIND}, or nothing for all.
     *
     * @param namespace the namespace; empty for any
     */
    public static RecordedObject of(String text, String namespace) {
        int slash = text.indexOf('/');
        return slash < 0
                ? new RecordedObject(text, "", namespace)
                : new RecordedObject(text.substring(0, slash), text.substring(slash + 1), namespace);
    }

    /** True if the line tells of it: of itself, or of a request that was made for it. */
    public boolean isIn(JsonNode line) {
        if (equals(ANY)) {
            return true;
        }
        String resource = line.path("resource").asString("");
        return is(line.path("kind").asString(""), resource, line.path("object").asString(""))
                || is(
                        line.path("forKind").asString(""),
                        line.path("forResource").asString(""), // older records have none
                        line.path("forObject").asString(""))
                || line.path("step").asString("").equals("lost");
    }

    private boolean is(String itsKind, String resource, String object) {
        return !object.isEmpty() && (kind.isEmpty() || isKind(itsKind, resource)) && isNamed(object);
    }

    private boolean isKind(String itsKind, String resource) {
        String wanted = kind.toLowerCase(Locale.ROOT);
        int first = resource.indexOf('.');
        String plural = first < 0 ? resource : resource.substring(0, first);
        int second = resource.indexOf('.', first + 1);
        String group = first < 0 || second < 0 ? "" : resource.substring(second);
        return wanted.equals(itsKind.toLowerCase(Locale.ROOT))
                || wanted.equals(plural)
                || wanted.equals(resource)
                || (!group.isEmpty() && wanted.equals(plural + group));
    }

    private boolean isNamed(String object) {
        int slash = object.indexOf('/');
        String itsNamespace = slash < 0 ? "" : object.substring(0, slash);
        return (name.isEmpty() || name.equals(object.substring(slash + 1)))
                && (namespace.isEmpty() || namespace.equals(itsNamespace));
    }
}
