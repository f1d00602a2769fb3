package dev.kopf4j.devcluster.registry.read;

import dev.kopf4j.devcluster.request.ContinueToken;
import dev.kopf4j.devcluster.storage.Listing;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A page of a list.
 *
 * @param rest the continue token; empty if the list is complete
 * @param remaining how many objects are left; negative if the response does not say
 */
public record ListPage(List<StoredObject> objects, long version, String rest, long remaining) {
    private static ListPage complete(List<StoredObject> objects, Listing listing) {
        return new ListPage(objects, listing.version(), "", -1);
    }

    /** The first objects of a listing, up to a limit; 0 for no limit. */
    static ListPage of(Listing listing, long limit) {
        List<StoredObject> objects = listing.objects();
        if (limit <= 0 || objects.size() <= limit) {
            return complete(objects, listing);
        }
        List<StoredObject> first = objects.subList(0, (int) limit);
        return new ListPage(first, listing.version(), token(listing, first.getLast()), objects.size() - limit);
    }

    /** The first objects of a listing that match, up to a limit; how many are left is not counted. */
    static ListPage of(Listing listing, long limit, Predicate<StoredObject> matches) {
        List<StoredObject> found = new ArrayList<>();
        List<StoredObject> objects = listing.objects();
        for (int index = 0; index < objects.size(); index++) {
            StoredObject object = objects.get(index);
            if (matches.test(object)) {
                found.add(object);
            }
            if (limit > 0 && found.size() == limit && index + 1 < objects.size()) {
                return new ListPage(found, listing.version(), token(listing, object), -1);
            }
        }
        return complete(found, listing);
    }

    private static String token(Listing listing, StoredObject last) {
        return new ContinueToken(listing.version(), last.place()).toString();
    }
}
