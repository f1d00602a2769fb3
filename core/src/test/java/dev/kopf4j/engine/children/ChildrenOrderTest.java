package dev.kopf4j.engine.children;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.Child;
import dev.kopf4j.engine.simulation.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** In which order children are written that wait for each other. Tests {@link DesiredChildren}. */
class ChildrenOrderTest {
    private final DesiredChildren children = new DesiredChildren(Scenario.example(), "rec", "me", List::of);

    private Child add(String name) {
        return children.add(Scenario.json("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'" + name + "'}}"));
    }

    private List<String> order() {
        return children.inOrder().stream()
                .map(child -> child.configuration().name())
                .toList();
    }

    @Test
    void whatOthersAreAfterComesFirstAndAllElseAsItWasAdded() {
        Child a = add("a");
        Child b = add("b");
        Child c = add("c");
        Child d = add("d");
        add("e");
        a.after(c, d);
        c.after(b);
        assertThat(order()).containsExactly("b", "c", "d", "a", "e");
    }

    @Test
    void aCircleIsRefused() {
        add("first");
        Child a = add("a");
        Child b = add("b").after(a);
        Child c = add("c").after(b);
        a.after(c);
        assertThatThrownBy(this::order)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is after itself");
    }

    @Test
    void twoOfOneNameAreRefused() {
        add("a");
        assertThatThrownBy(() -> add("a")).hasMessageContaining("ConfigMap a is added twice");
    }

    /** It was searched with a call for each of them, and along all ways. */
    @Test
    void aLongRowAndManyWaysAreNoTrouble() {
        Child last = add("row-0");
        for (int i = 1; i < 20_000; i++) {
            last = add("row-" + i).after(last);
        }
        List<Child> layer = List.of();
        for (int i = 0; i < 5; i++) {
            List<Child> next = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                next.add(add("layer-" + i + "-" + j).after(layer.toArray(Child[]::new)));
            }
            layer = next;
        }
        assertThat(order())
                .hasSize(20_500)
                .startsWith(IntStream.range(0, 20_000).mapToObj(i -> "row-" + i).toArray(String[]::new));
    }
}
