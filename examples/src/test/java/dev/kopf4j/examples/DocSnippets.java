package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.ExplicitRegistration;
import dev.kopf4j.OnCreate;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * The Java snippets of the documentation, compiled together as they are; once in a JVM, as the compiler reads the
 * libraries only once. Snippets that declare no class are lines of a test that uses the dev cluster.
 *
 * @param folder where they are compiled to
 * @param compiled whether all of them are right
 * @param found what the compiler says
 * @param loader has their classes
 */
record DocSnippets(
        Path folder, boolean compiled, List<Diagnostic<? extends JavaFileObject>> found, ClassLoader loader) {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: PLURAL.kopf.dev}
            spec:
              group: kopf.dev
              scope: Namespaced
              names: {plural: PLURAL, singular: SINGULAR, kind: KIND}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            ---
            """;

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java\\n(.*?)^```");
    private static final Pattern CLASS = Pattern.compile("(?m)^(?:public |final )*class (\\w+)");
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

    private static final class Compiled {
        private static final DocSnippets ALL = compile();
    }

    static DocSnippets all() {
        return Compiled.ALL;
    }

    private static DocSnippets compile() {
        try {
            Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "snippets");
            List<Path> sources = new ArrayList<>();
            for (Snippet snippet : snippets()) {
                sources.add(snippet.write(folder));
            }
            var diagnostics = new DiagnosticCollector<JavaFileObject>();
            var compiler = ToolProvider.getSystemJavaCompiler();
            try (var files = compiler.getStandardFileManager(diagnostics, null, null)) {
                List<String> options = List.of("-parameters", "-proc:none", "-d", folder.toString());
                boolean compiled = compiler.getTask(
                                null, files, diagnostics, options, null, files.getJavaFileObjectsFromPaths(sources))
                        .call();
                URL[] place = {folder.toUri().toURL()};
                return new DocSnippets(
                        folder,
                        compiled,
                        diagnostics.getDiagnostics(),
                        new URLClassLoader(place, DocSnippets.class.getClassLoader()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    record Snippet(Path page, int number, String code) {
        /** The package that keeps its classes from those of others. */
        String folder() {
            return page.getFileName().toString().replaceAll("\\W", "_") + "_" + number;
        }

        Path write(Path root) throws IOException {
            String code = CLASS.matcher(code()).find() ? code() : LINES.replace("CODE", code());
            Matcher name = CLASS.matcher(code);
            assertThat(name.find()).as("%s declares a class", this).isTrue();
            Path source = Files.createDirectory(root.resolve(folder())).resolve(name.group(1) + ".java");
            return Files.writeString(source, "package " + folder() + ";\n" + code);
        }

        @Override
        public String toString() {
            return page.getFileName() + " #" + number;
        }
    }

    static List<Snippet> snippets() throws IOException {
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
        return snippets;
    }

    List<Class<?>> handlerClasses(Snippet snippet) {
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
    List<Method> builders(Snippet snippet) {
        return classes(snippet)
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> Modifier.isStatic(method.getModifiers()) && method.getParameterCount() == 0)
                .filter(method ->
                        method.getReturnType() == Operator.class || method.getReturnType() == OperatorBuilder.class)
                .toList();
    }

    /** All classes of a snippet, those that are nested in others, too. */
    Stream<Class<?>> classes(Snippet snippet) {
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

    private Class<?> load(String name) {
        try {
            return loader.loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(name + " was compiled", e);
        }
    }

    /** The definition of a kind of the pages, whatever its objects have; in front of objects of it. */
    static String definition(String plural, String kind) {
        return DEFINITION
                .replace("PLURAL", plural)
                .replace("SINGULAR", kind.toLowerCase(Locale.ROOT))
                .replace("KIND", kind);
    }
}
