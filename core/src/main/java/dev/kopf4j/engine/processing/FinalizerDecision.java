package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.object.PatchTransformation;
import java.util.Optional;

/**
 * Adds the finalizer to an object, or removes it, so that the object has it exactly while a handler or a daemon has to
 * be called before the object is deleted. Confined to one cycle.
 *
 * @param assessor tells who needs the finalizer
 * @param finalizer the operator's finalizer
 */
record FinalizerDecision(ObjectAssessor assessor, Finalizer finalizer) {
    /** The change that adds or removes the finalizer; empty if the object has it as it should. */
    Optional<PatchTransformation> neededChange(ObjectAssessment assessment) {
        ResourceObject object = assessment.state();
        return switch (assessor.finalizerOf(assessment)) {
            case AS_NEEDED -> Optional.empty();
            case TO_BE_ADDED -> {
                object.localLogger().debug("Adding the finalizer, thus preventing the actual deletion.");
                yield Optional.of(decideAnew(object));
            }
            case TO_BE_REMOVED -> {
                object.localLogger()
                        .debug(
                                DeletionState.isRequested(object.node())
                                        ? "Removing the finalizer, thus allowing the actual deletion."
                                        : "Removing the finalizer, as there are no handlers requiring it.");
                yield Optional.of(decideAnew(object));
            }
        };
    }

    /**
     * The change decides when it is sent: by then the object may be in a newer state, which may need the finalizer or
     * not. If it conflicts even so, the next cycle decides.
     */
    private PatchTransformation decideAnew(ResourceObject object) {
        return PatchTransformation.frameworkPatch(body -> {
            switch (assessor.finalizerOf(assessor.assess(object.with(body)))) {
                case AS_NEEDED -> {}
                case TO_BE_ADDED -> finalizer.addTo(body);
                case TO_BE_REMOVED -> finalizer.removeFrom(body);
            }
        });
    }
}
