package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.resource.CustomConverter;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts an object that is on its way between the resources that serve its kind: {@code ConvertToGVK} in
 * {@code pkg/admission/conversion.go} of the apiserver library, v1.33.
 * {@link dev.kopf4j.devcluster.status.ApiException} if a webhook fails.
 */
public final class EquivalentConversion {
    private EquivalentConversion() {}

    /** The object in the version of another resource; it is not changed. */
    public static ObjectNode convert(Resource from, Resource to, ObjectNode object) {
        if (from.apiVersion().equals(to.apiVersion())) {
            return object;
        }
        CustomKind custom = from.custom();
        Optional<CustomConverter> converter =
                custom == null ? Optional.empty() : custom.versions().converter();
        ObjectNode copy = object.deepCopy().put("apiVersion", from.apiVersion()).put("kind", from.kind());
        if (converter.isPresent()) {
            return converter.get().convert(copy, to.apiVersion());
        }
        return BuiltinConversion.shown(to, BuiltinConversion.stored(from, copy))
                .put("apiVersion", to.apiVersion())
                .put("kind", to.kind());
    }
}
