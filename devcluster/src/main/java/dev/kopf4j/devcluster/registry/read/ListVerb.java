package dev.kopf4j.devcluster.registry.read;

import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.request.ContinueToken;
import dev.kopf4j.devcluster.request.ListOptions;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.Listing;
import java.util.function.Supplier;

/**
 * The verb list: {@code GetList} in {@code pkg/storage/etcd3/store.go} and {@code pkg/storage/cacher/cacher.go} of the
 * apiserver library, v1.33. Thread-safe.
 */
public final class ListVerb {
    private static final String OLD_TOKEN = "The provided continue parameter is too old to display a consistent list"
            + " result. You can start a new list without the continue parameter, or use the continue token in this"
            + " response to retrieve the remainder of the results. Continuing with the provided token results in an"
            + " inconsistent list - objects that were created, modified, or deleted between the time the first chunk"
            + " was returned and now may show up in the list.";
    private static final String OLD_VERSION = "The resourceVersion for the provided list is too old.";
    private final ServerContext state;

    /** Lists objects of the store of a server. */
    public ListVerb(ServerContext state) {
        this.state = state;
    }

    /** The page that a request asks for; 410 if its version is too old. */
    public ListPage list(ResourceRequest request, ListOptions options) {
        Listing listing = listing(request, options);
        long limit = limit(request, options);
        Resource resource = request.resource();
        return options.matchesAll()
                ? ListPage.of(listing, limit)
                : ListPage.of(listing, limit, object -> options.matches(StorageConversion.tree(resource, object)));
    }

    /**
     * There is no limit for version 0, which a real server answers from its cache without pages, nor for a single name.
     */
    private static long limit(ResourceRequest request, ListOptions options) {
        boolean cached = options.version().equals("0") && options.token().isEmpty();
        boolean single = options.fields().terms().stream()
                .anyMatch(term -> term.equal() && term.field().equals("metadata.name"));
        boolean placed =
                !request.resource().namespaced() || !request.namespace().isEmpty();
        return cached || (single && placed) ? 0 : options.limit();
    }

    private Listing listing(ResourceRequest request, ListOptions options) {
        String version = options.version();
        if (!options.token().isEmpty()) {
            return next(request, options);
        }
        if (version.isEmpty() || version.equals("0")) {
            return newest(request);
        }
        if (!ResourceVersionParameter.isReadable(version)) {
            throw ApiException.badRequest("invalid resource version: " + ResourceVersionParameter.problem(version));
        }
        ResourceVersionParameter.checkNotFuture(version, state);
        boolean exact = options.match().equals("Exact") || (options.match().isEmpty() && options.limit() > 0);
        return exact
                ? at(request, Long.parseLong(version), "", () -> ApiException.expired(OLD_VERSION))
                : newest(request);
    }

    private Listing next(ResourceRequest request, ListOptions options) {
        if (!options.version().isEmpty() && !options.version().equals("0")) {
            throw ApiException.badRequest("specifying resource version is not allowed when using continue");
        }
        ContinueToken token = ContinueToken.parse(options.token());
        if (!request.namespace().isEmpty() && !token.after().startsWith(request.namespace() + "/")) {
            throw ApiException.badRequest("continue token begins in another namespace");
        }
        long present = state.objectStore().version();
        if (token.version() > present) {
            throw ApiException.plain500("etcdserver: mvcc: required revision is a future revision");
        }
        long version = token.version() < 0 ? present : token.version();
        ContinueToken newest = new ContinueToken(-1, token.after());
        return at(request, version, token.after(), () -> ApiException.expired(OLD_TOKEN, newest.toString()));
    }

    private Listing newest(ResourceRequest request) {
        return state.objectStore().list(state.bucket(request.resource()), request.namespace());
    }

    private Listing at(ResourceRequest request, long version, String after, Supplier<ApiException> ifTooOld) {
        Listing listing =
                state.objectStore().list(state.bucket(request.resource()), request.namespace(), version, after);
        if (listing == null) {
            throw ifTooOld.get();
        }
        return listing;
    }
}
