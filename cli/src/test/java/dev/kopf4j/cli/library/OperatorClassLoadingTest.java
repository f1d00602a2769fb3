package dev.kopf4j.cli.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which values of memos the classes of a changed operator can use: {@link OperatorClassLoading#has}. */
class OperatorClassLoadingTest {
    private final OperatorClassLoading loading =
            new OperatorClassLoading(getClass().getClassLoader());

    @Test
    void whatIsOfTheOperatorsClassesIsOfUse() {
        assertThat(loading.has(Map.of("a", List.of(this)))).isTrue();
        assertThat(new OperatorClassLoading(ClassLoader.getPlatformClassLoader()).has(List.of(this)))
                .isFalse();
    }

    @Test
    void whatContainsItselfOrIsDeepIsLookedThroughOnce() {
        List<Object> own = new ArrayList<>(Arrays.asList("a", null));
        own.add(Map.of("again", own));
        assertThat(loading.has(own)).isTrue();
        List<Object> deep = List.of();
        for (int depth = 0; depth < 100_000; depth++) {
            deep = List.of(deep);
        }
        assertThat(loading.has(deep)).isTrue();
    }

    @Test
    void whatCannotBeLookedThroughIsOfNoUse() {
        assertThat(loading.has(new ChangingList())).isFalse();
    }

    /** As one is to whoever walks through it while another thread adds to it. */
    private static final class ChangingList extends AbstractList<String> {
        @Override
        public String get(int index) {
            throw new ConcurrentModificationException();
        }

        @Override
        public Iterator<String> iterator() {
            throw new ConcurrentModificationException();
        }

        @Override
        public int size() {
            return 1;
        }
    }
}
