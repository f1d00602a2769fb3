package dev.kopf4j.engine.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.index.ObjectIndexer.IndexHolder;
import dev.kopf4j.engine.index.ObjectIndexer.IndexedObject;
import dev.kopf4j.engine.index.WrittenObjects.StreamKnowledge;
import dev.kopf4j.engine.index.WrittenObjects.Written;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When what the operator has written itself is forgotten again. */
@Tag("M45")
class WrittenObjectsTest {
    private final List<IndexedObject> discarded = new ArrayList<>();
    private final WrittenObjects written = new WrittenObjects(discarded::add);
    private final Map<String, IndexHolder> known = new HashMap<>();
    private int list = 1;

    private final StreamKnowledge stream = new StreamKnowledge() {
        @Override
        public @Nullable IndexHolder holder(String uid) {
            return known.get(uid);
        }

        @Override
        public boolean hasTold(String uid, String version) {
            return false;
        }

        @Override
        public int currentList() {
            return list;
        }
    };

    /** The stream does not know it. */
    private IndexedObject write(String uid, long version) {
        Written own = new Written(version, list);
        IndexedObject values = new IndexedObject(1);
        own.indexed(values);
        written.add(uid, own);
        return values;
    }

    @Test
    void theStreamTakesOverWhatWasWritten() {
        IndexedObject values = write("a", 5);
        Written holder = new Written(0, 0);
        written.told("a", 4, holder);
        assertThat(written.isAhead("a", 4)).isTrue();
        assertThat(holder.indexed()).isSameAs(values);
        written.told("a", 5, holder);
        assertThat(written.find("a")).isNull();
        assertThat(discarded).isEmpty();
    }

    @Test
    void anObjectThatIsGoneTakesItsValuesAlong() {
        IndexedObject values = write("a", 5);
        written.gone("a");
        assertThat(discarded).containsExactly(values);
        assertThat(written.find("a")).isNull();
    }

    @Test
    void whatWasDeletedComesBackByNoEventButTheLastOne() {
        written.add("a", new Written(Written.GONE, list));
        written.told("a", 1_000_000, new Written(0, 0));
        assertThat(written.isAhead("a", 1_000_000)).isTrue();
        written.gone("a");
        assertThat(written.isAhead("a", 1_000_000)).isFalse();
    }

    @Test
    void aListEndsWhatWasWrittenBeforeItBeganAndWhatItShouldHave() {
        IndexedObject before = write("before", 5);
        list = 2;
        IndexedObject covered = write("covered", 8);
        write("later", 20);
        write("known", 8);
        known.put("known", new Written(0, 0));
        written.listed(stream, 10);
        assertThat(discarded).containsExactly(before, covered);
        assertThat(written.find("later")).isNotNull();
        assertThat(written.find("known")).isNotNull();
    }

    @Test
    void thousandObjectsAreRememberedAtTheMost() {
        List<IndexedObject> all = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            all.add(write("object" + i, i));
        }
        assertThat(discarded).isEqualTo(all.subList(0, 100));
        assertThat(written.find("object99")).isNull();
        assertThat(written.find("object100")).isNotNull();
    }
}
