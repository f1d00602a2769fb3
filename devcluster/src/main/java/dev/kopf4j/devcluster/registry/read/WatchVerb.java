package dev.kopf4j.devcluster.registry.read;

import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.request.ListOptions;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.response.ObjectRenderer;
import dev.kopf4j.devcluster.selector.FieldSelector;
import dev.kopf4j.devcluster.storage.Listing;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;

/** The verb watch: {@code pkg/endpoints/handlers/watch.go} of the apiserver library, v1.33. Thread-safe. */
public final class WatchVerb {
    private final ServerContext state;

    /** Watches the store of a server. */
    public WatchVerb(ServerContext state) {
        this.state = state;
    }

    /** Begins the watch of a request, which may be on one object; a watch without a version begins with what exists. */
    public WatchStream watch(ResourceRequest request, ListOptions listOptions, ObjectRenderer renderer) {
        ListOptions options = request.name().isEmpty()
                ? listOptions
                : listOptions.and(new FieldSelector.Term("metadata.name", true, request.name()));
        String version = options.version();
        if (!version.isEmpty()) {
            ResourceVersionParameter.checkReadable(version);
            ResourceVersionParameter.checkNotFuture(version, state);
        }
        boolean fromStart = version.isEmpty() || version.equals("0") || options.initialEvents();
        Listing listing = fromStart
                ? state.objectStore().list(state.bucket(request.resource()), request.namespace())
                : new Listing(List.of(), Long.parseLong(version));
        List<StoredObject> initial = matching(request.resource(), options, listing);
        renderer.requireSingleForm();
        return new WatchSession(state, request, options, renderer, initial, listing.version());
    }

    private static List<StoredObject> matching(Resource resource, ListOptions options, Listing listing) {
        return options.matchesAll()
                ? listing.objects()
                : listing.objects().stream()
                        .filter(object -> options.matches(StorageConversion.tree(resource, object)))
                        .toList();
    }
}
