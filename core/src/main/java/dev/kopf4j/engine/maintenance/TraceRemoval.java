package dev.kopf4j.engine.maintenance;

import dev.kopf4j.client.api.PatchType;
import dev.kopf4j.client.error.ConflictException;
import dev.kopf4j.client.error.NotFoundException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes the traces of an operator off its objects.
 *
 * @param lister reads the objects
 * @param traces what it leaves
 * @param rehearsal true to change nothing
 */
record TraceRemoval(ObjectLister lister, OperatorTraces traces, boolean rehearsal) {
    private static final int ATTEMPTS = 5;

    /** Returns how many objects had some. */
    int removeAll(Consumer<String> told) throws InterruptedException {
        int[] count = {0};
        lister.each(stream -> true, object -> {
            Optional<String> removed = described(object.body());
            if (removed.isPresent()) {
                if (!rehearsal) {
                    remove(object);
                }
                told.accept(object + ": " + removed.get() + (rehearsal ? " would be removed" : " removed"));
                count[0]++;
            }
        });
        return count[0];
    }

    private Optional<String> described(ObjectNode body) {
        boolean held = traces.hold(body);
        boolean records = !traces.annotations(body).isEmpty()
                || traces.statusRemoval(body).isPresent();
        String text = held ? records ? "finalizer and records" : "finalizer" : records ? "records" : "";
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /** The status first: the object may be gone when it has lost its finalizer. */
    private void remove(FoundObject object) throws InterruptedException {
        boolean subresource = object.resource().subresources().contains("status");
        ObjectNode body = patch(object, object.body(), subresource ? "status" : null, traces::statusRemoval);
        if (body != null) {
            patch(object, body, null, traces::removal);
        }
    }

    /** Patches until nobody has changed the object meanwhile; returns it as it is then, or null if it is gone. */
    private @Nullable ObjectNode patch(
            FoundObject object,
            ObjectNode body,
            @Nullable String subresource,
            Function<ObjectNode, Optional<ObjectNode>> removal)
            throws InterruptedException {
        ObjectNode current = body;
        for (int attempt = 1; ; attempt++) {
            Optional<ObjectNode> patch = removal.apply(current);
            if (patch.isEmpty()) {
                return current;
            }
            try {
                return lister.api()
                        .patch(
                                object.resource(),
                                object.namespace(),
                                object.name(),
                                subresource,
                                PatchType.MERGE,
                                patch.get());
            } catch (NotFoundException e) {
                return null;
            } catch (ConflictException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                current = lister.api().get(object.resource(), object.namespace(), object.name());
            }
        }
    }
}
