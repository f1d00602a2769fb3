package dev.kopf4j.cli.source;

import dev.kopf4j.cli.library.FoundClass;
import dev.kopf4j.cli.library.OperatorClassLoading;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.engine.injection.HandlerMethods;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The classes of an operator. Immutable.
 *
 * @param chosen compiled classes whose handlers are wanted, with all that are nested in them
 * @param types all compiled classes, but those that are nested in others
 * @param found classes of jars and folders
 * @param loading loads the found classes
 * @param sources the source files that some are of
 * @param names where they come from, for messages
 */
public record LoadedClasses(
        List<Class<?>> chosen,
        List<Class<?>> types,
        List<FoundClass> found,
        OperatorClassLoading loading,
        List<Path> sources,
        String names) {
    private static final String EXAMPLE = """

                import dev.kopf4j.OnCreate;

                class Example {
                    @OnCreate("kopfexamples")
                    String created(String name) { return "Hello, " + name; }
                }
            """;

    /** Copies the lists. */
    public LoadedClasses {
        chosen = List.copyOf(chosen);
        types = List.copyOf(types);
        found = List.copyOf(found);
        sources = List.copyOf(sources);
    }

    /**
     * The classes with annotated methods.
     *
     * @throws CommandException if there are none, or if one cannot be loaded
     */
    public List<Class<?>> handlers() {
        List<Class<?>> ofLibraries = ofLibraries();
        List<Class<?>> all = Stream.concat(nested(types), ofLibraries.stream()).toList();
        List<Class<?>> handlers = Stream.of(
                        chosen.stream().flatMap(HandlerClasses::in),
                        HandlerClasses.withUninherited(nested(chosen).toList(), all),
                        ofLibraries.stream().filter(HandlerClasses::hasHandlers),
                        HandlerClasses.withCallableUninherited(ofLibraries, all))
                .flatMap(each -> each)
                .distinct()
                .toList();
        if (handlers.isEmpty()) {
            throw CommandException.sources("No handlers found in " + names
                    + ": no method of a class there has an annotation such as @OnCreate (classes inside methods,"
                    + " anonymous ones, and classes with @ExplicitRegistration do not count). The least operator is:\n"
                    + EXAMPLE);
        }
        return handlers;
    }

    /** Warnings of handlers in jars and folders that are not called, though they could be if they stood elsewhere. */
    public List<String> warnings() {
        List<Class<?>> ofLibraries = ofLibraries();
        List<Class<?>> all = Stream.concat(nested(types), ofLibraries.stream()).toList();
        return HandlerClasses.passedOver(ofLibraries, all)
                .map(handler -> "warning: the static handler " + HandlerMethods.describe(handler)
                        + " is not called, as other handlers of "
                        + handler.getDeclaringClass().getName()
                        + " need an instance, which an abstract class or interface has not: it needs a type of its own")
                .toList();
    }

    private List<Class<?>> ofLibraries() {
        return found.stream()
                .filter(FoundClass::hasHandlers)
                .<Class<?>>map(loading::load)
                .toList();
    }

    private static Stream<Class<?>> nested(List<Class<?>> types) {
        return types.stream().flatMap(HandlerClasses::withNested);
    }

    /** The types of custom resources. */
    public List<Class<?>> customResources() {
        Stream<Class<?>> compiled = nested(types).filter(each -> each.isAnnotationPresent(CustomResource.class));
        return Stream.concat(
                        compiled,
                        found.stream().filter(FoundClass::isCustomResource).map(loading::load))
                .distinct()
                .toList();
    }
}
