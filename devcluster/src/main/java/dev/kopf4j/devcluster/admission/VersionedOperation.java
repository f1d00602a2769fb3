package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.conversion.EquivalentConversion;
import dev.kopf4j.devcluster.resource.Resource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An operation in the version that a webhook or a policy wants to see: {@code NewVersionedAttributes} in
 * {@code pkg/admission/conversion.go} of the apiserver library, v1.33.
 *
 * @param wanted the resource of that version
 * @param object the object as it would become; null if it is to be deleted
 * @param before the present object; null if there is none
 */
record VersionedOperation(
        AdmissionAttributes operation,
        Resource wanted,
        @Nullable ObjectNode object,
        @Nullable ObjectNode before) {
    static VersionedOperation of(AdmissionAttributes operation, Resource wanted, @Nullable ObjectNode object) {
        return new VersionedOperation(
                operation,
                wanted,
                object == null ? null : converted(operation, operation.resource(), wanted, object),
                operation.before() == null
                        ? null
                        : converted(operation, operation.resource(), wanted, operation.before()));
    }

    /** Scales, evictions and the like are the same for all versions of their resource. */
    private static ObjectNode converted(AdmissionAttributes operation, Resource from, Resource to, ObjectNode object) {
        boolean whole = from.subresource(operation.subresource())
                .map(own -> own.kind().equals(from.kind()))
                .orElse(true);
        return whole ? EquivalentConversion.convert(from, to, object) : object;
    }

    /** An object that a webhook has changed, in the version of the request. */
    @Nullable ObjectNode restored(@Nullable ObjectNode changed) {
        return changed == null ? null : converted(operation, wanted, operation.resource(), changed);
    }
}
