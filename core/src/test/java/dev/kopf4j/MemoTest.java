package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("L35")
class MemoTest {
    private final Memo memo = new Memo();

    @Test
    void givesValuesInTheTypeThatIsAskedFor() {
        memo.put("count", 3);
        assertThat(memo).containsEntry("count", 3);
        assertThat(memo.get("count", Integer.class)).contains(3);
        assertThat(memo.get("count", Number.class)).contains(3);
        assertThat(memo.require("count", Integer.class)).isEqualTo(3);
        assertThat(memo.get("other", Integer.class)).isEmpty();
    }

    @Test
    void saysWhichTypeAValueHas() {
        memo.put("count", 3);
        assertThatThrownBy(() -> memo.get("count", String.class))
                .isInstanceOf(ClassCastException.class)
                .hasMessage("'count' in the memo is of the type java.lang.Integer, not java.lang.String");
    }

    @Test
    void saysWhatIsThereIfAValueIsNot() {
        memo.put("b", 1);
        memo.put("a", 1);
        assertThatThrownBy(() -> memo.require("c", String.class))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("the memo has no 'c'; it has [a, b]");
    }

    @Test
    @SuppressWarnings("NullAway") // users' code is not checked
    void saysWhichValueIsNull() {
        assertThatThrownBy(() -> memo.put("task", null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("the value of 'task' is null: memo.remove(\"task\") takes it out");
        assertThatThrownBy(() -> memo.putIfAbsent("task", null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("'task'");
        assertThat(memo).isEmpty();
    }

    @Test
    void makesAValueOnce() {
        StringBuilder made = memo.computeIfAbsent("text", StringBuilder.class, StringBuilder::new);
        assertThat(memo.computeIfAbsent("text", StringBuilder.class, StringBuilder::new))
                .isSameAs(made);
    }

    @Test
    void changesAValueInOneStep() {
        assertThat(memo.update("count", 0, n -> n + 1)).isEqualTo(1);
        assertThat(memo.update("count", 0, n -> n + 1)).isEqualTo(2);
        assertThat(memo).containsEntry("count", 2);
        memo.put("count", "many");
        assertThatThrownBy(() -> memo.update("count", 0, n -> n + 1))
                .isInstanceOf(ClassCastException.class)
                .hasMessage("'count' in the memo is of the type java.lang.String, not java.lang.Integer");
    }

    private enum Light {
        GREEN,
        RED {
            @Override
            Light next() {
                return GREEN;
            }
        };

        Light next() {
            return RED;
        }
    }

    /** Of one type, but not of one class. */
    @Test
    void changesAValueWhateverTheClassesOfItsType() {
        for (int size = 1; size < 4; size++) {
            List<String> seen = memo.update(
                    "list",
                    List.<String>of(),
                    list -> Stream.concat(list.stream(), Stream.of("x")).toList());
            assertThat(seen).hasSize(size);
        }
        memo.put("set", new TreeSet<>(Set.of("a")));
        assertThat(memo.update("set", (Set<String>) new HashSet<String>(), set -> Set.copyOf(set)))
                .containsExactly("a");
        memo.put("light", Light.RED);
        assertThat(memo.update("light", Light.GREEN, Light::next)).isEqualTo(Light.GREEN);
        assertThat(memo.update("light", Light.GREEN, Light::next)).isEqualTo(Light.RED);
    }

    @Test
    void copiesReferencesAndNotValues() {
        List<String> shared = new ArrayList<>();
        memo.put("list", shared);
        Memo copy = memo.copy();
        copy.put("own", 1);
        shared.add("seen by both");
        assertThat(memo).doesNotContainKey("own");
        assertThat(copy).containsEntry("list", shared);
        assertThat(copy.get("list")).isSameAs(shared);
    }
}
