package dev.kopf4j.engine.observation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("A23")
class NamespacePatternTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            myapp                      | myapp          | true
            myapp                      | myapp2         | false
            myapp-*,!*-pr-*,*-pr-123   | myapp-test     | true
            myapp-*,!*-pr-*,*-pr-123   | myapp-pr-123   | true
            myapp-*,!*-pr-*,*-pr-123   | myapp-pr-456   | false
            myapp-*,!*-pr-*,*-pr-123   | otherapp-pr-123 | false
            !*-pr-*,*pr-123            | otherapp-pr-123 | true
            !*-pr-*,*pr-123            | other          | true
            !*-pr-*,*pr-123            | other-pr-456   | false
            !!a                        | a              | false
            a?                         | ab             | true
            a?                         | abc            | false
            a[bc]d                     | acd            | true
            a[!bc]d                    | acd            | false
            a[!bc]d                    | axd            | true
            a[b                        | a[b            | true
            a.c                        | abc            | false
            ' a , b '                  | a              | true
            *                          | anything       | true
            A                          | a              | false
            """)
    void matchesAsGlobsDo(String pattern, String namespace, boolean matches) {
        assertThat(new NamespacePattern(pattern).matches(namespace)).isEqualTo(matches);
    }

    @Test
    void onlyPlainNamesAreExact() {
        assertThat(new NamespacePattern("a-b.c").isExact()).isTrue();
        for (String pattern : new String[] {"*", "a?", "!a", "a,b", "[a]"}) {
            assertThat(new NamespacePattern(pattern).isExact()).as(pattern).isFalse();
        }
    }
}
