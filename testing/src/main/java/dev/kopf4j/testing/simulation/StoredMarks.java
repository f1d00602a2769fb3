package dev.kopf4j.testing.simulation;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.persistence.StorageFactory;
import dev.kopf4j.persistence.conventions.EssencePruner;
import dev.kopf4j.persistence.diffbase.DiffBasePersistence;
import dev.kopf4j.persistence.progress.ProgressPersistence;
import dev.kopf4j.persistence.progress.ProgressRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads what an operator has stored on objects, where its settings say: they are asked each time, as handlers of its
 * start may change them. Confined to the simulation.
 */
final class StoredMarks {
    private OperatorSettings settings;

    /** The marks of an operator with these settings. */
    StoredMarks(OperatorSettings settings) {
        this.settings = settings;
    }

    /** A replica has started, and has these settings from now on. */
    void started(OperatorSettings now) {
        settings = now;
    }

    /** How far a handler has come with the object; null if nothing is recorded. */
    @Nullable ProgressRecord progress(String handler, ObjectNode object) {
        return progress().fetch(handler, object);
    }

    /** True if it is recorded that the object was handled. */
    boolean isHandled(ObjectNode object) {
        return diffBase().fetch(object) != null;
    }

    /** The part of the object that people decide on. */
    ObjectNode essence(ObjectNode object) {
        ObjectNode essence = progress().clear(diffBase().build(object, List.of()));
        return EssencePruner.withoutChildMark(Interventions.of(settings).clear(essence));
    }

    /** True if somebody has asked the operator to leave the object alone. */
    boolean isPaused(ObjectNode object) {
        return Interventions.of(settings).pause(object).holds(object);
    }

    /** The mark that holds objects. */
    Finalizer finalizer() {
        return new Finalizer(settings.persistence().finalizer());
    }

    private ProgressPersistence progress() {
        return StorageFactory.progress(
                settings.persistence().progressStorage(), settings.persistence().prefix());
    }

    private DiffBasePersistence diffBase() {
        return StorageFactory.diffBase(
                settings.persistence().diffBaseStorage(), settings.persistence().prefix());
    }
}
