package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.examples.DocSnippets.Snippet;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every Java snippet of the documentation compiles, and its handlers can be an operator's. */
class DocSnippetsTest {
    static Stream<Snippet> snippets() throws IOException {
        return DocSnippets.snippets().stream();
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void compiles(Snippet snippet) {
        assertThat(DocSnippets.all().found())
                .filteredOn(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .filteredOn(each ->
                        each.getSource() == null || each.getSource().getName().contains(snippet.folder()))
                .as("%s", snippet)
                .isEmpty();
    }

    static Stream<Snippet> operators() throws IOException {
        List<Snippet> operators = snippets()
                .filter(snippet -> !DocSnippets.all().handlerClasses(snippet).isEmpty()
                        || !DocSnippets.all().builders(snippet).isEmpty())
                .toList();
        assertThat(operators).as("snippets with operators").hasSizeGreaterThan(40);
        return operators.stream();
    }

    /** As {@code kopf4j run} does, unless it builds its operator itself; faulty declarations are refused. */
    @ParameterizedTest
    @MethodSource("operators")
    void becomesAnOperator(Snippet snippet) throws ReflectiveOperationException {
        List<Method> builders = DocSnippets.all().builders(snippet);
        if (builders.isEmpty()) {
            OperatorBuilder run = Operator.builder();
            for (Class<?> handlers : DocSnippets.all().handlerClasses(snippet)) {
                run.handlers(instance(handlers));
            }
            assertThat(run.build()).isNotNull();
        }
        for (Method builder : builders) {
            builder.setAccessible(true);
            Object made = builder.invoke(null);
            assertThat(made instanceof OperatorBuilder unbuilt ? unbuilt.build() : made)
                    .as("%s", builder)
                    .isInstanceOf(Operator.class);
        }
    }

    /** What its constructor takes, somebody else gives it; the declarations can be read without. */
    private static Object instance(Class<?> type) throws ReflectiveOperationException {
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return constructor.getParameterCount() == 0
                ? type
                : constructor.newInstance(new Object[constructor.getParameterCount()]);
    }

    @Test
    void allCompile() {
        assertThat(DocSnippets.all().compiled())
                .as("%s", DocSnippets.all().found())
                .isTrue();
    }
}
