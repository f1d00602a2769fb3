package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.List;
import java.util.function.Supplier;

/**
 * Creates an object that is missing, and changes one that is there, also if another request creates or deletes it
 * meanwhile: {@code Update} in {@code pkg/registry/generic/registry/store.go} of the apiserver library, v1.33.
 */
record CreateOrChange(ServerContext state) {
    /** Begins anew as often as the object has come or gone; each turn has to leave what it was given as it was. */
    VerbResult write(ResourceRequest request, Supplier<VerbResult> create, Supplier<VerbResult> change) {
        List<String> warnings = request.warnings();
        int warned = warnings.size();
        while (true) {
            boolean missing = isMissing(request);
            try {
                return missing ? create.get() : change.get();
            } catch (ApiException e) {
                boolean outdated = e.code() == (missing ? 409 : 404) && missing != isMissing(request);
                if (!outdated) {
                    throw e;
                }
                warnings.subList(warned, warnings.size()).clear();
            }
        }
    }

    private boolean isMissing(ResourceRequest request) {
        return state.bucket(request.resource()).get(request.namespace(), request.name()) == null;
    }
}
