package dev.kopf4j.cli;

import dev.kopf4j.OnCreate;
import dev.kopf4j.cli.compile.CompilationException;
import dev.kopf4j.cli.compile.SourceCompiler;
import java.io.PrintWriter;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Source files to classes with handlers. */
final class OperatorSources {
    private static final String EXAMPLE = """

                import dev.kopf4j.OnCreate;

                class Example {
                    @OnCreate("kopfexamples")
                    String created(String name) { return "Hello, " + name; }
                }
            """;

    private OperatorSources() {}

    /**
     * Compiles the files.
     *
     * @param diagnostics gets javac's messages
     * @return the classes that have annotated methods, in the order of the sources
     * @throws CommandException if the sources do not compile, or have no handlers
     */
    static List<Class<?>> compile(List<Path> sources, PrintWriter diagnostics) {
        List<Class<?>> handlers;
        try {
            handlers = SourceCompiler.ofOwnClassPath().compile(sources, diagnostics).topLevelClasses().stream()
                    .flatMap(OperatorSources::withNested)
                    .filter(OperatorSources::hasHandlers)
                    .toList();
        } catch (CompilationException e) {
            throw CommandException.sources(String.valueOf(e.getMessage()));
        }
        if (handlers.isEmpty()) {
            throw CommandException.sources("No handlers found in " + names(sources)
                    + ": no method of a class there has an annotation such as @OnCreate. The least operator is:\n"
                    + EXAMPLE);
        }
        return handlers;
    }

    private static String names(List<Path> sources) {
        return sources.stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        return Stream.concat(
                Stream.of(type), Arrays.stream(type.getDeclaredClasses()).flatMap(OperatorSources::withNested));
    }

    // Inherited handlers count for the concrete class; what is abstract has no instance to call.
    private static boolean hasHandlers(Class<?> type) {
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            return false;
        }
        return Stream.<Class<?>>iterate(type, ancestor -> ancestor != null, Class::getSuperclass)
                .flatMap(ancestor -> Arrays.stream(ancestor.getDeclaredMethods()))
                .anyMatch(OperatorSources::isAnnotated);
    }

    private static boolean isAnnotated(AnnotatedElement method) {
        return Arrays.stream(method.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(type -> type.getPackage() == OnCreate.class.getPackage());
    }
}
