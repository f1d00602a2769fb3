package dev.kopf4j.object;

import org.jspecify.annotations.Nullable;

/**
 * Lets the references of many objects share equal texts: their {@code apiVersion}, their kind, and their namespace,
 * which would else be a third of what an object at rest takes. It keeps a fixed number of texts, whatever has come and
 * gone. Not thread-safe.
 */
public final class ReferenceTexts {
    private static final int SLOTS = 256;

    private final @Nullable String[] slots = new @Nullable String[SLOTS];

    /** An equal reference, with texts of earlier ones where they are still known. */
    public ObjectReference shared(ObjectReference reference) {
        return new ObjectReference(
                shared(reference.apiVersion()),
                shared(reference.kind()),
                reference.name(),
                reference.uid(),
                shared(reference.namespace()));
    }

    private @Nullable String shared(@Nullable String text) {
        if (text == null) {
            return null;
        }
        int hash = text.hashCode();
        int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
        String known = slots[slot];
        if (text.equals(known)) {
            return known;
        }
        slots[slot] = text;
        return text;
    }
}
