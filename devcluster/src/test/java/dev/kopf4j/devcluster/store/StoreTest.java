package dev.kopf4j.devcluster.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.json.Json;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class StoreTest {
    private static final int WINDOW = 4;

    private final Store store = new Store(WINDOW, 10);
    private final Bucket pods = store.bucket("pods");

    private static StoredObject pod(String name) {
        ObjectNode tree = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        tree.putObject("metadata").put("name", name).put("namespace", "here").put("uid", "u-" + name);
        return StoredObject.of(tree);
    }

    private StoredObject created(String name) {
        return Objects.requireNonNull(store.create(pods, pod(name)));
    }

    @Test
    void countsOneVersionForAllBuckets() {
        StoredObject first = created("a");
        StoredObject second = Objects.requireNonNull(store.create(store.bucket("jobs"), pod("a")));
        assertThat(second.version()).isEqualTo(first.version() + 1).isEqualTo(store.version());
    }

    @Test
    void refusesATakenPlaceAndAStaleState() {
        StoredObject first = created("a");
        assertThat(store.create(pods, pod("a"))).isNull();
        assertThat(store.replace(pods, first, pod("a"))).isNotNull();
        assertThat(store.replace(pods, first, pod("a"))).isNull();
        assertThat(store.remove(pods, first)).isZero();
    }

    @Test
    void tellsAFollowerOfEachChangeInOrder() {
        AtomicInteger signals = new AtomicInteger();
        Cursor cursor = store.follow(pods, store.version(), signals::incrementAndGet);
        created("a");
        created("b");
        assertThat(signals).hasPositiveValue();
        assertThat(cursor.next(WINDOW))
                .isInstanceOfSatisfying(
                        Cursor.Batch.Changes.class,
                        batch -> assertThat(batch.changes())
                                .extracting(change -> change.object().name())
                                .containsExactly("a", "b"));
    }

    @Test
    void losesAFollowerThatFallsBehindTheWindow() {
        Cursor cursor = store.follow(pods, store.version(), () -> {});
        for (int i = 0; i < 3 * WINDOW; i++) {
            created("p" + i);
        }
        assertThat(cursor.next(WINDOW)).isInstanceOf(Cursor.Batch.Lost.class);
    }

    @Test
    void listsAnEarlierVersionWithinTheWindow() {
        created("a");
        long then = store.version();
        created("b");
        Store.Listing listing = Objects.requireNonNull(store.list(pods, "here", then, ""));
        assertThat(listing.objects()).extracting(StoredObject::name).containsExactly("a");
    }
}
