package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;

/** The verb patch: {@code pkg/endpoints/handlers/patch.go} of the apiserver library, v1.33. Thread-safe. */
public final class PatchVerb {
    private final UpdateVerb updateVerb;
    private final ApplyVerb applyVerb;

    /** Patches by these verbs. */
    public PatchVerb(UpdateVerb updateVerb, ApplyVerb applyVerb) {
        this.updateVerb = updateVerb;
        this.applyVerb = applyVerb;
    }

    /** Patches the object of a request; the media type of the body selects the format. */
    public VerbResult patch(ResourceRequest request) {
        if (ApplyVerb.isWanted(request)) {
            return applyVerb.apply(request);
        }
        Resource resource = request.resource();
        ObjectEdit edit = PatchEdits.of(request, resource.kind(), resource.apiVersion());
        return updateVerb.change(request, present -> PatchedObject.decode(request, edit.apply(present)));
    }
}
