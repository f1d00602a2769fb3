package dev.kopf4j.engine.cycle;

import dev.kopf4j.engine.cycle.ObjectProcessor.StreamProgress;
import dev.kopf4j.object.ObjectReference;
import org.jspecify.annotations.Nullable;

/** A stream of which nothing is known but that its first list has begun. */
final class StillStream implements StreamProgress {
    @Override
    public ObjectReference reference(@Nullable String name, @Nullable String uid, @Nullable String namespace) {
        return new ObjectReference("v1", "Kind", name, uid, namespace);
    }

    @Override
    public int currentList() {
        return 1;
    }

    @Override
    public boolean isHeldUp() {
        return false;
    }

    @Override
    public boolean willReach(String version) {
        return false;
    }
}
