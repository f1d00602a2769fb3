package dev.kopf4j.engine.cycle;

import dev.kopf4j.engine.cycle.ObjectProcessor.StreamProgress;

/** A stream of which nothing is known but that its first list has begun. */
final class StillStream implements StreamProgress {
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
