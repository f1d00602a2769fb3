package dev.kopf4j.engine.handling.change;

import dev.kopf4j.engine.handling.progress.ProgressState;

/**
 * What all calls of one real cycle share. Confined to the object's worker.
 *
 * @param handling what is shared by the cycles of all objects
 * @param progress how far the handlers have come
 * @param checkpoint the object and the patch of the cycle
 * @param memory what is remembered between cycles
 */
record ChangeCycleState(
        ChangeHandling handling, ProgressState progress, ProgressCheckpoint checkpoint, HandlingMemory memory) {}
