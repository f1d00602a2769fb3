package dev.kopf4j.engine.declaration;

import static dev.kopf4j.engine.call.HandlerFixtures.cause;
import static dev.kopf4j.engine.call.HandlerFixtures.creation;
import static dev.kopf4j.engine.call.HandlerFixtures.subject;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.call.HandlerFixtures;
import dev.kopf4j.engine.call.InvocationCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetadataFilterTest {
    private static final Map<String, String> WEB = Map.of("app", "web", "tier", "a", "empty", "", "x.io/y", "1");

    private static boolean passes(List<MetadataFilter> filters, Map<String, String> content) {
        return filters.stream().allMatch(filter -> filter.matches(content, MetadataFilterTest::noContext));
    }

    /** Only callbacks may have the context made. */
    private static HandlerContext noContext() {
        throw new AssertionError("asked for the context");
    }

    @ParameterizedTest
    @Tag("L09")
    @Tag("C14")
    @CsvSource(delimiter = '|', textBlock = """
                    ''                              | true
                    app=web                         | true
                    app==web                        | true
                    app=other                       | false
                    absent=web                      | false
                    app!=web                        | false
                    app!=other                      | true
                    absent!=web                     | true
                    app in (web,other)              | true
                    app in (a,b)                    | false
                    absent in (web)                 | false
                    app notin (a,b)                 | true
                    app notin (web)                 | false
                    absent notin (web)              | true
                    app                             | true
                    absent                          | false
                    !absent                         | true
                    !app                            | false
                    ! absent                        | true
                    empty=                          | true
                    empty                           | true
                    app=                            | false
                    empty in (,x)                   | true
                    x.io/y=1                        | true
                    app=web,tier in (a,b),!legacy   | true
                    app=web,tier in (b,c),!legacy   | false
                    app=web , tier in ( a , b )     | true
                    in=web                          | false
                    !in                             | true
                    """)
    void readsTheSelectorSyntaxOfKubernetes(String selector, boolean matches) {
        assertThat(passes(MetadataFilter.parseSelector(selector), WEB)).isEqualTo(matches);
    }

    @ParameterizedTest
    @Tag("L09")
    @CsvSource(delimiter = '|', textBlock = """
                    app=web,      | 9
                    ,app          | 1
                    app=web tier  | 9
                    app in web    | 8
                    app in (web   | 12
                    app in        | 7
                    !             | 2
                    =web          | 1
                    app=a=b       | 6
                    app>3         | 4
                    app=&quot     | 5
                    """)
    void saysWhereASelectorIsMalformed(String selector, int position) {
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> MetadataFilter.parseSelector(selector))
                .withMessageContaining("'" + selector + "'")
                .withMessageContaining("position " + position + ":")
                .withMessageContaining("app=web,tier in (a,b),!legacy");
    }

    @ParameterizedTest
    @Tag("L10")
    @Tag("C14")
    @CsvSource(delimiter = '|', textBlock = """
                    x.io/y=1           | true
                    x.io/y=2           | false
                    x.io/y             | true
                    !x.io/y            | false
                    !absent            | true
                    absent             | false
                    absent=            | false
                    empty=             | true
                    json={"a"="b, c"}  | true
                    """)
    void readsAnnotationFilters(String filter, boolean matches) {
        Map<String, String> annotations = Map.of("x.io/y", "1", "empty", "", "json", "{\"a\"=\"b, c\"}");
        assertThat(MetadataFilter.parseAnnotation(filter).matches(annotations, MetadataFilterTest::noContext))
                .isEqualTo(matches);
    }

    /** As {@code labels} would take it, but annotations have no selectors: such a key would never be there. */
    @ParameterizedTest
    @Tag("L10")
    @CsvSource(delimiter = '|', textBlock = """
                    colour in (red), !shape | colour in (red), !shape
                    mark!=yes               | mark!
                    mark==yes, b            |
                    a,b                     | a,b
                    ! mark                  | ' mark'
                    a/b/c                   | a/b/c
                    -a                      | -a
                    x_y.io/a                | x_y.io/a
                    """)
    void refusesKeysThatNoAnnotationCanHave(String filter, @Nullable String key) {
        if (key == null) {
            assertThat(MetadataFilter.parseAnnotation(filter))
                    .isEqualTo(new MetadataFilter.In("mark", Set.of("=yes, b")));
            return;
        }
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> MetadataFilter.parseAnnotation(filter))
                .withMessageContaining("'" + filter + "'")
                .withMessageContaining("no annotation can have the key '" + key + "'");
    }

    @Test
    @Tag("L10")
    void refusesAnnotationFiltersWithoutAKey() {
        for (String filter : List.of("", "=x", "!", " ")) {
            assertThatExceptionOfType(HandlerDeclarationException.class)
                    .isThrownBy(() -> MetadataFilter.parseAnnotation(filter))
                    .withMessageContaining("'" + filter + "'");
        }
    }

    @Test
    @Tag("L10")
    @Tag("L12")
    @Tag("C14")
    void callbacksGetTheValueOrNullAndTheContext() {
        HandlerContext context = HandlerFixtures.contexts()
                .forFilters(
                        creation("fn"),
                        subject("{'metadata':{'name':'n'}}"),
                        new InvocationCause.Changing(cause(Reason.CREATE, false, null, "{}")))
                .get();
        List<@Nullable String> asked = new ArrayList<>();
        MetadataFilter filter = new MetadataFilter.Callback("app", (value, about) -> {
            asked.add(value + " of " + about.name());
            return value != null;
        });
        assertThat(filter.matches(WEB, () -> context)).isTrue();
        assertThat(filter.matches(Map.of("other", ""), () -> context)).isFalse();
        assertThat(asked).containsExactly("web of n", "null of n");
    }
}
