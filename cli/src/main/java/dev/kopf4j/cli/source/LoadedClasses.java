package dev.kopf4j.cli.source;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.crd.CustomResource;
import java.nio.file.Path;
import java.util.List;

/**
 * The classes of an operator. Immutable.
 *
 * @param classes all of them, but those that are nested in others
 * @param sources the source files that some are of
 * @param names where they come from, for messages
 */
public record LoadedClasses(List<Class<?>> classes, List<Path> sources, String names) {
    private static final String EXAMPLE = """

                import dev.kopf4j.OnCreate;

                class Example {
                    @OnCreate("kopfexamples")
                    String created(String name) { return "Hello, " + name; }
                }
            """;

    /** Copies the lists. */
    public LoadedClasses {
        classes = List.copyOf(classes);
        sources = List.copyOf(sources);
    }

    /**
     * The classes with annotated methods.
     *
     * @throws CommandException if there are none
     */
    public List<Class<?>> handlers() {
        List<Class<?>> handlers =
                classes.stream().flatMap(HandlerClasses::in).distinct().toList();
        if (handlers.isEmpty()) {
            throw CommandException.sources("No handlers found in " + names
                    + ": no method of a class there has an annotation such as @OnCreate (classes with"
                    + " @ExplicitRegistration do not count). The least operator is:\n"
                    + EXAMPLE);
        }
        return handlers;
    }

    /** The types of custom resources. */
    public List<Class<?>> customResources() {
        return classes.stream()
                .flatMap(HandlerClasses::withNested)
                .filter(each -> each.isAnnotationPresent(CustomResource.class))
                .distinct()
                .toList();
    }
}
