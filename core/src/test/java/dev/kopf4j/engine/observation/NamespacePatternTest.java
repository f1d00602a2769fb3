package dev.kopf4j.engine.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
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
            a[bc]d                     | abd            | true
            a[bc]d                     | axd            | false
            a[!bc]d                    | acd            | false
            a[!bc]d                    | abd            | false
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            team-\\d+        | team-12        | true
            team-\\d+        | team-12b       | false
            team-\\d+        | my-team-12     | false
            (a;b)            | b              | false
            (a+b)            | aab            | true
            a*               | aa             | true
            a*               | ab             | false
            a,b              | a              | false
            """)
    void expressionsMatchWholeNames(String expression, String namespace, boolean matches) {
        assertThat(new NamespacePattern(Pattern.compile(expression)).matches(namespace))
                .isEqualTo(matches);
    }

    @Test
    void flagsOfExpressionsCount() {
        assertThat(new NamespacePattern(Pattern.compile("A", Pattern.CASE_INSENSITIVE)).matches("a"))
                .isTrue();
    }

    @Test
    void onlyPlainNamesAreExact() {
        assertThat(new NamespacePattern("a-b.c").isExact()).isTrue();
        for (String pattern : new String[] {"*", "a?", "!a", "a,b", "[a]"}) {
            assertThat(new NamespacePattern(pattern).isExact()).as(pattern).isFalse();
        }
        assertThat(new NamespacePattern(Pattern.compile("a")).isExact()).isFalse();
    }
}
