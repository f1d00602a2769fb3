package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.request.ContinueToken;
import dev.kopf4j.devcluster.request.ListOptions;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectStore.Listing;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The verbs get and list. Thread-safe. */
public final class GetAndListVerbs {
    private final ServerContext state;

    public GetAndListVerbs(ServerContext state) {
        this.state = state;
    }

    public StoredObject get(ResourceRequest resourceRequest) {
        String version = resourceRequest.request().parameter("resourceVersion");
        if (!version.isEmpty()) {
            if (!version.matches("[0-9]{1,18}")) {
                throw unreadableVersion(version);
            }
            checkNotFuture(version);
        }
        StoredObject found =
                state.bucket(resourceRequest.resource()).get(resourceRequest.namespace(), resourceRequest.name());
        if (found == null) {
            throw ApiException.notFound(resourceRequest.statusDetails());
        }
        return found;
    }

    public static ApiException unreadableVersion(String version) {
        return ApiException.plain500("resourceVersion: Invalid value: \"" + version
                + "\": strconv.ParseUint: parsing \"" + version + "\": invalid syntax");
    }

    public void checkNotFuture(String version) {
        long current = state.objectStore().version();
        if (Long.parseLong(version) > current) {
            throw ApiException.versionTooLarge(version, current);
        }
    }

    /**
     * A page of a list.
     *
     * @param rest the continue token, empty when the list is complete
     * @param remaining how many objects are left, negative when that is not said
     */
    public record Page(List<StoredObject> objects, long version, String rest, long remaining) {}

    public Page list(ResourceRequest resourceRequest, ListOptions options) {
        Listing listing = listing(resourceRequest, options);
        long limit = limit(resourceRequest, options);
        if (options.matchesAll()) {
            return page(listing, limit);
        }
        return filtered(resourceRequest.resource(), listing, options, limit);
    }

    /** None for version 0, which a real server's cache answers without pages, nor for the one object of a name. */
    private static long limit(ResourceRequest resourceRequest, ListOptions options) {
        boolean cached = options.version().equals("0") && options.token().isEmpty();
        boolean single = options.fields().terms().stream()
                .anyMatch(term -> term.equal() && term.field().equals("metadata.name"));
        boolean placed = !resourceRequest.resource().namespaced()
                || !resourceRequest.namespace().isEmpty();
        return cached || (single && placed) ? 0 : options.limit();
    }

    private Listing listing(ResourceRequest resourceRequest, ListOptions options) {
        ResourceBucket resourceBucket = state.bucket(resourceRequest.resource());
        String version = options.version();
        if (!options.token().isEmpty()) {
            if (!version.isEmpty() && !version.equals("0")) {
                throw ApiException.badRequest("specifying resource version is not allowed when using continue");
            }
            ContinueToken token = ContinueToken.parse(options.token());
            if (!resourceRequest.namespace().isEmpty()
                    && !token.after().startsWith(resourceRequest.namespace() + "/")) {
                throw ApiException.badRequest("continue token begins in another namespace");
            }
            long of = token.version() < 0 ? state.objectStore().version() : token.version();
            return orExpired(
                    state.objectStore().list(resourceBucket, resourceRequest.namespace(), of, token.after()),
                    "The provided continue parameter is too old to display a consistent list result. You can start a"
                            + " new list without the continue parameter.");
        }
        if (version.isEmpty() || version.equals("0")) {
            return state.objectStore().list(resourceBucket, resourceRequest.namespace());
        }
        if (!version.matches("[0-9]{1,18}")) {
            throw ApiException.badRequest("invalid resource version: resourceVersion: Invalid value: \"" + version
                    + "\": strconv.ParseUint: parsing \"" + version + "\": invalid syntax");
        }
        checkNotFuture(version);
        boolean exact = options.match().equals("Exact") || (options.match().isEmpty() && options.limit() > 0);
        if (!exact) {
            return state.objectStore().list(resourceBucket, resourceRequest.namespace());
        }
        return orExpired(
                state.objectStore().list(resourceBucket, resourceRequest.namespace(), Long.parseLong(version), ""),
                "The resourceVersion for the provided list is too old.");
    }

    private static Listing orExpired(@Nullable Listing listing, String message) {
        if (listing == null) {
            throw ApiException.expired(message);
        }
        return listing;
    }

    private static Page page(Listing listing, long limit) {
        List<StoredObject> objects = listing.objects();
        if (limit <= 0 || objects.size() <= limit) {
            return new Page(objects, listing.version(), "", -1);
        }
        List<StoredObject> first = objects.subList(0, (int) limit);
        String token = new ContinueToken(listing.version(), first.getLast().place()).toString();
        return new Page(first, listing.version(), token, objects.size() - limit);
    }

    private static Page filtered(Resource resource, Listing listing, ListOptions options, long limit) {
        List<StoredObject> found = new ArrayList<>();
        List<StoredObject> objects = listing.objects();
        for (int index = 0; index < objects.size(); index++) {
            StoredObject object = objects.get(index);
            if (options.matches(StorageConversion.tree(resource, object))) {
                found.add(object);
            }
            if (limit > 0 && found.size() == limit && index + 1 < objects.size()) {
                return new Page(
                        found, listing.version(), new ContinueToken(listing.version(), object.place()).toString(), -1);
            }
        }
        return new Page(found, listing.version(), "", -1);
    }
}
