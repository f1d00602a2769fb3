package dev.kopf4j.engine.children;

import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.object.ObjectReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** By what children know their parents: by the uid of an owner, or by a name that a handler finds. Pure. */
public final class ParentKeys {
    private ParentKeys() {}

    /** All keys of an object whose handlers these are; that of its children by owner references is the first. */
    public static List<String> of(String uid, ObjectReference reference, List<RegisteredHandler> handlers) {
        List<String> keys = new ArrayList<>(1);
        keys.add(uid);
        handlers.stream()
                .filter(handler -> !handler.options().isByOwner())
                .forEach(handler -> keys.add(named(handler, reference)));
        return keys.size() == 1 ? List.of(uid) : keys;
    }

    /** The key of an object for a handler that finds parents by name. */
    public static String named(RegisteredHandler handler, ObjectReference reference) {
        return key(handler.id(), reference.namespace(), String.valueOf(reference.name()));
    }

    /** The key of the parent of a child in that namespace. */
    static String named(String handler, String name, String namespace) {
        int slash = name.indexOf('/');
        return slash < 0
                ? key(handler, namespace, name)
                : key(handler, name.substring(0, slash), name.substring(slash + 1));
    }

    private static String key(String handler, @Nullable String namespace, String name) {
        return handler + "|" + (namespace == null ? "" : namespace) + "/" + name;
    }
}
