package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.ExplicitRegistration;
import dev.kopf4j.OnCreate;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compiles every Java snippet of the documentation, with the imports that any file would have, and makes operators of
 * their handlers. Snippets that declare no class are lines of a test that uses the dev cluster.
 */
class DocSnippetsTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java\\n(.*?)^```");
    private static final Pattern CLASS = Pattern.compile("(?m)^(?:public |final )*class (\\w+)");
    private static final String IMPORTS = """
            import dev.kopf4j.*;
            import io.fabric8.kubernetes.api.model.*;
            import io.fabric8.kubernetes.client.KubernetesClient;
            import java.time.Duration;
            import java.time.Instant;
            import java.util.Map;
            import java.util.List;
            import org.slf4j.Logger;
            """;

    private static final String LINES = """
            import dev.kopf4j.devcluster.*;
            import java.nio.file.Files;
            import java.nio.file.Path;
            import java.time.Duration;
            import java.time.Instant;

            class Lines {
                void lines() throws Exception {
            CODE
                }
            }
            """;

    @TempDir
    private static Path folder;

    private static URLClassLoader loader;
    private static boolean compiled;
    private static List<Diagnostic<? extends JavaFileObject>> found = List.of();

    record Snippet(Path page, int number, String code) {
        /** The package that keeps its classes from those of others. */
        String folder() {
            return page.getFileName().toString().replaceAll("\\W", "_") + "_" + number;
        }

        Path write(Path root) throws IOException {
            String code = CLASS.matcher(code()).find() ? code() : LINES.replace("CODE", code());
            Matcher name = CLASS.matcher(code);
            assertThat(name.find()).as("%s declares a class", this).isTrue();
            // The views of the framework are meant, wherever a model has the same name.
            String imports =
                    code.startsWith("import ") ? "" : IMPORTS + "import dev.kopf4j.Status;\nimport dev.kopf4j.Patch;\n";
            Path source = Files.createDirectory(root.resolve(folder())).resolve(name.group(1) + ".java");
            return Files.writeString(source, "package " + folder() + ";\n" + imports + code);
        }

        @Override
        public String toString() {
            return page.getFileName() + " #" + number;
        }
    }

    static Stream<Snippet> snippets() throws IOException {
        List<Path> pages = new ArrayList<>();
        pages.add(ROOT.resolve("README.md"));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(path -> path.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        List<Snippet> snippets = new ArrayList<>();
        for (Path page : pages) {
            Matcher matcher = SNIPPET.matcher(Files.readString(page));
            for (int number = 1; matcher.find(); number++) {
                snippets.add(new Snippet(page, number, matcher.group(1)));
            }
        }
        assertThat(snippets).as("snippets in %s", pages).hasSizeGreaterThan(4);
        return snippets.stream();
    }

    /** What the compiler says of each; one run of it for all, as it reads the libraries only once. */
    @BeforeAll
    static void compileAll() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Snippet snippet : snippets().toList()) {
            sources.add(snippet.write(folder));
        }
        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(diagnostics, null, null)) {
            List<String> options = List.of("-parameters", "-proc:none", "-d", folder.toString());
            compiled = compiler.getTask(
                            null, files, diagnostics, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
        }
        found = diagnostics.getDiagnostics();
        loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, DocSnippetsTest.class.getClassLoader());
    }

    @AfterAll
    static void close() throws IOException {
        loader.close();
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void compiles(Snippet snippet) {
        assertThat(found)
                .filteredOn(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .filteredOn(each ->
                        each.getSource() == null || each.getSource().getName().contains(snippet.folder()))
                .as("%s", snippet)
                .isEmpty();
    }

    static Stream<Snippet> operators() throws IOException {
        List<Snippet> operators = snippets()
                .filter(snippet ->
                        !handlerClasses(snippet).isEmpty() || !builders(snippet).isEmpty())
                .toList();
        assertThat(operators).as("snippets with operators").hasSizeGreaterThan(40);
        return operators.stream();
    }

    /** As {@code kopf4j run} does, unless it builds its operator itself; faulty declarations are refused. */
    @ParameterizedTest
    @MethodSource("operators")
    void becomesAnOperator(Snippet snippet) throws ReflectiveOperationException {
        List<Method> builders = builders(snippet);
        if (builders.isEmpty()) {
            OperatorBuilder run = Operator.builder();
            for (Class<?> handlers : handlerClasses(snippet)) {
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

    private static List<Class<?>> handlerClasses(Snippet snippet) {
        return classes(snippet)
                .filter(type -> !type.isInterface()
                        && !Modifier.isAbstract(type.getModifiers())
                        && !type.isAnnotationPresent(ExplicitRegistration.class))
                .filter(type -> Stream.of(type.getDeclaredMethods())
                        .flatMap(method -> Stream.of(method.getAnnotations()))
                        .anyMatch(each -> each.annotationType().getPackage() == OnCreate.class.getPackage()))
                .toList();
    }

    /** The methods that make an operator, as applications do. */
    private static List<Method> builders(Snippet snippet) {
        return classes(snippet)
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> Modifier.isStatic(method.getModifiers()) && method.getParameterCount() == 0)
                .filter(method ->
                        method.getReturnType() == Operator.class || method.getReturnType() == OperatorBuilder.class)
                .toList();
    }

    /** All classes of a snippet, those that are nested in others, too. */
    private static Stream<Class<?>> classes(Snippet snippet) {
        try (Stream<Path> files = Files.list(folder.resolve(snippet.folder()))) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class"))
                    .sorted()
                    .<Class<?>>map(name -> load(snippet.folder() + "." + name.replace(".class", "")))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> load(String name) {
        try {
            return loader.loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(name + " was compiled", e);
        }
    }

    @Test
    void allCompile() {
        assertThat(compiled).as("%s", found).isTrue();
    }
}
