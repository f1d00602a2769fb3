package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.show.Shown;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.store.Bucket;
import dev.kopf4j.devcluster.store.Store.Listing;
import dev.kopf4j.devcluster.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The verbs get and list. Thread-safe. */
final class Reading {
    private final ServerState state;

    Reading(ServerState state) {
        this.state = state;
    }

    StoredObject get(Call call) {
        String version = call.request().parameter("resourceVersion");
        if (!version.isEmpty()) {
            if (!version.matches("[0-9]{1,18}")) {
                throw unreadableVersion(version);
            }
            checkNotFuture(version);
        }
        StoredObject found = state.bucket(call.resource()).get(call.namespace(), call.name());
        if (found == null) {
            throw ApiException.notFound(call.subject());
        }
        return found;
    }

    static ApiException unreadableVersion(String version) {
        return ApiException.plain500("resourceVersion: Invalid value: \"" + version
                + "\": strconv.ParseUint: parsing \"" + version + "\": invalid syntax");
    }

    void checkNotFuture(String version) {
        long current = state.store().version();
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
    record Page(List<StoredObject> objects, long version, String rest, long remaining) {}

    Page list(Call call, ListOptions options) {
        Listing listing = listing(call, options);
        long limit = limit(call, options);
        if (options.matchesAll()) {
            return page(listing, limit);
        }
        return filtered(call.resource(), listing, options, limit);
    }

    /** None for version 0, which a real server's cache answers without pages, nor for the one object of a name. */
    private static long limit(Call call, ListOptions options) {
        boolean cached = options.version().equals("0") && options.token().isEmpty();
        boolean single = options.fields().terms().stream()
                .anyMatch(term -> term.equal() && term.field().equals("metadata.name"));
        boolean placed = !call.resource().namespaced() || !call.namespace().isEmpty();
        return cached || (single && placed) ? 0 : options.limit();
    }

    private Listing listing(Call call, ListOptions options) {
        Bucket bucket = state.bucket(call.resource());
        String version = options.version();
        if (!options.token().isEmpty()) {
            if (!version.isEmpty() && !version.equals("0")) {
                throw ApiException.badRequest("specifying resource version is not allowed when using continue");
            }
            ContinueToken token = ContinueToken.parse(options.token());
            if (!call.namespace().isEmpty() && !token.after().startsWith(call.namespace() + "/")) {
                throw ApiException.badRequest("continue token begins in another namespace");
            }
            long of = token.version() < 0 ? state.store().version() : token.version();
            return orExpired(
                    state.store().list(bucket, call.namespace(), of, token.after()),
                    "The provided continue parameter is too old to display a consistent list result. You can start a"
                            + " new list without the continue parameter.");
        }
        if (version.isEmpty() || version.equals("0")) {
            return state.store().list(bucket, call.namespace());
        }
        if (!version.matches("[0-9]{1,18}")) {
            throw ApiException.badRequest("invalid resource version: resourceVersion: Invalid value: \"" + version
                    + "\": strconv.ParseUint: parsing \"" + version + "\": invalid syntax");
        }
        checkNotFuture(version);
        boolean exact = options.match().equals("Exact") || (options.match().isEmpty() && options.limit() > 0);
        if (!exact) {
            return state.store().list(bucket, call.namespace());
        }
        return orExpired(
                state.store().list(bucket, call.namespace(), Long.parseLong(version), ""),
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
            if (options.matches(Shown.tree(resource, object))) {
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
