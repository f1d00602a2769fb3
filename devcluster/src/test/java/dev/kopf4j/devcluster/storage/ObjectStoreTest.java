package dev.kopf4j.devcluster.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.json.Json;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ObjectStoreTest {
    private static final int WINDOW = 4;

    private final ObjectStore objectStore = new ObjectStore(WINDOW, 10);
    private final ResourceBucket pods = objectStore.bucket("pods");

    private static StoredObject pod(String name) {
        ObjectNode tree = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        tree.putObject("metadata").put("name", name).put("namespace", "here").put("uid", "u-" + name);
        return StoredObject.of(tree);
    }

    private StoredObject created(String name) {
        return Objects.requireNonNull(objectStore.create(pods, pod(name)));
    }

    @Test
    void countsOneVersionForAllBuckets() {
        StoredObject first = created("a");
        StoredObject second = Objects.requireNonNull(objectStore.create(objectStore.bucket("jobs"), pod("a")));
        assertThat(second.version()).isEqualTo(first.version() + 1).isEqualTo(objectStore.version());
    }

    @Test
    void refusesATakenPlaceAndAStaleState() {
        StoredObject first = created("a");
        assertThat(objectStore.create(pods, pod("a"))).isNull();
        assertThat(objectStore.replace(pods, first, pod("a"))).isNotNull();
        assertThat(objectStore.replace(pods, first, pod("a"))).isNull();
        assertThat(objectStore.remove(pods, first)).isZero();
    }

    @Test
    void tellsAFollowerOfEachChangeInOrder() {
        AtomicInteger signals = new AtomicInteger();
        WatchCursor watchCursor = objectStore.follow(pods, objectStore.version(), signals::incrementAndGet);
        created("a");
        created("b");
        assertThat(signals).hasPositiveValue();
        assertThat(watchCursor.next(WINDOW))
                .isInstanceOfSatisfying(
                        WatchCursor.Batch.Changes.class,
                        batch -> assertThat(batch.changes())
                                .extracting(
                                        objectChange -> objectChange.object().name())
                                .containsExactly("a", "b"));
    }

    @Test
    void losesAFollowerThatFallsBehindTheWindow() {
        WatchCursor watchCursor = objectStore.follow(pods, objectStore.version(), () -> {});
        for (int i = 0; i < 3 * WINDOW; i++) {
            created("p" + i);
        }
        assertThat(watchCursor.next(WINDOW)).isInstanceOf(WatchCursor.Batch.TooOld.class);
    }

    @Test
    void listsAnEarlierVersionWithinTheWindow() {
        created("a");
        long then = objectStore.version();
        created("b");
        Listing listing = Objects.requireNonNull(objectStore.list(pods, "here", then, ""));
        assertThat(listing.objects()).extracting(StoredObject::name).containsExactly("a");
    }

    @Test
    void keepsNoMoreFormerStatesThanAFewMegabytes() {
        ObjectStore large = new ObjectStore(10_000, 0);
        ResourceBucket maps = large.bucket("configmaps");
        String text = "x".repeat(1 << 20);
        StoredObject current = Objects.requireNonNull(large.create(maps, pod("a")));
        for (int turn = 0; turn < 80; turn++) {
            ObjectNode next = current.tree();
            next.putObject("data").put("text", text + turn);
            current = Objects.requireNonNull(large.replace(maps, current, StoredObject.of(next)));
        }
        assertThat(maps.windowBytes()).isLessThanOrEqualTo(48L << 20);
        assertThat(large.list(maps, "", 20, "")).isNull();
        assertThat(large.list(maps, "", large.version() - 10, "")).isNotNull();
    }
}
