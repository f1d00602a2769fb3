package dev.kopf4j.cli.source;

import dev.kopf4j.cli.dependency.Dependencies;
import dev.kopf4j.cli.library.ClassFolders;
import dev.kopf4j.cli.library.ClassSearch;
import dev.kopf4j.cli.library.FoundClass;
import dev.kopf4j.cli.library.OperatorClassLoading;
import dev.kopf4j.cli.library.ProgramLibraries;
import dev.kopf4j.cli.process.CommandException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The places of an operator's handlers: source files, which are compiled together; jars and folders; and named classes
 * and packages in these or on a class path that somebody has composed. Immutable.
 *
 * @param files sources, jars and folders of these, in any order
 * @param names names of classes and packages
 * @param libraries jars and folders that the handlers use; they are not searched for others
 */
public record OperatorSources(List<Path> files, List<String> names, List<Path> libraries) {
    public OperatorSources {
        files = List.copyOf(files);
        names = List.copyOf(names);
        libraries = List.copyOf(libraries);
    }

    /**
     * Compiles the sources, and finds the classes with handlers.
     *
     * @param diagnostics gets javac's messages, and warnings of handlers that are not called
     * @return first those of sources, in their order; then those of jars and folders, sorted by name. If there are
     *     names, folders and jars only serve to find them.
     * @throws CommandException if the sources do not compile
     */
    public LoadedClasses load(PrintWriter diagnostics) {
        SourcePlaces places = SourcePlaces.of(files);
        ProgramLibraries program = ProgramLibraries.ofThisProgram();
        ClassFolders all = new ClassFolders(places.classes())
                .and(libraries.stream()
                        .flatMap(each -> SourcePlaces.libraries(each).stream())
                        .toList())
                .and(Dependencies.of(places.sources()));
        ClassLoader loader = all.and(places.sourceFolders()).loader(program.loader());
        CompiledSources compiled = compiled(places.sources(), new SourceCompiler(program, all), loader, diagnostics);
        List<Class<?>> types = compiled.topLevelClasses();
        compiled.hiddenClasses().stream()
                .filter(HandlerClasses::hasHandlers)
                .forEach(type -> diagnostics.println("warning: the handlers of " + type.getName() + ", "
                        + (type.isAnonymousClass() ? "an anonymous class" : "a class inside a method")
                        + ", are not called: make it a class beside others, or a nested one"));
        return new LoadedClasses(
                chosen(compiled, places, types),
                types,
                names.isEmpty()
                        ? new ClassSearch(new ClassFolders(places.classes()), loader).find(name -> true)
                        : named(types, all, program, loader),
                new OperatorClassLoading(compiled.loader()),
                places.sources(),
                title());
    }

    /** The files and folders that change when the operator does. */
    public List<Path> watched() {
        return Stream.concat(files.stream(), files.stream().flatMap(each -> SourcePlaces.resources(each).stream()))
                .toList();
    }

    /** Tells what the operator consists of; compiles nothing. */
    public OperatorParts parts() {
        return parts(SourcePlaces.of(files));
    }

    private OperatorParts parts(SourcePlaces places) {
        List<Path> used = libraries.stream()
                .flatMap(each -> SourcePlaces.libraries(each).stream())
                .toList();
        ClassFolders others = new ClassFolders(used).and(Dependencies.of(places.sources()));
        return new OperatorParts(!places.sources().isEmpty(), places.classes(), others.places(), names);
    }

    /**
     * Compiles the sources, and tells what the operator consists of, to be run elsewhere.
     *
     * @param diagnostics gets javac's messages
     * @throws CommandException if the sources do not compile, or a jar is none that could be run
     */
    public OperatorFiles files(PrintWriter diagnostics) {
        SourcePlaces places = SourcePlaces.of(files);
        ProgramLibraries program = ProgramLibraries.ofThisProgram();
        OperatorParts parts = parts(places);
        ClassFolders searched = new ClassFolders(places.classes());
        ClassFolders all = searched.and(parts.libraries());
        // Those whose handlers are looked for when it is run: nobody has loaded them here.
        (names.isEmpty() ? searched : all).check();
        CompiledSources compiled = compiled(
                places.sources(),
                new SourceCompiler(program, all),
                all.and(places.sourceFolders()).loader(program.loader()),
                diagnostics);
        return new OperatorFiles(compiled.classFiles(), places.sourceFolders(), parts);
    }

    /** Those of source files, and of folders of sources those that are named, if there are names. */
    private List<Class<?>> chosen(CompiledSources compiled, SourcePlaces places, List<Class<?>> types) {
        if (names.isEmpty()) {
            return types;
        }
        Stream<Class<?>> ofFiles = compiled.topLevelClasses(source -> !places.isOfFolder(source)).stream();
        return Stream.concat(ofFiles, names.stream().flatMap(name -> named(types, name)))
                .distinct()
                .toList();
    }

    private static Stream<Class<?>> named(List<Class<?>> types, String name) {
        var wanted = new ClassOrPackage(name);
        return types.stream().flatMap(HandlerClasses::withNested).filter(type -> wanted.test(type.getName()));
    }

    private static CompiledSources compiled(
            List<Path> sources, SourceCompiler compiler, ClassLoader loader, PrintWriter diagnostics) {
        if (sources.isEmpty()) {
            return new CompiledSources(List.of(), loader);
        }
        try {
            return compiler.compile(sources, diagnostics, loader);
        } catch (CompilationException e) {
            throw CommandException.sources(String.valueOf(e.getMessage()));
        }
    }

    /** The classes of each name that no source has: of the libraries, else of the class path of others. */
    private List<FoundClass> named(
            List<Class<?>> types, ClassFolders libraries, ProgramLibraries program, ClassLoader loader) {
        ClassFolders others = new ClassFolders(program.classPath());
        var found = new ArrayList<FoundClass>();
        for (String each : names) {
            var name = new ClassOrPackage(each);
            boolean isOfSources = named(types, each).findAny().isPresent();
            if (libraries.hasAny(name)) {
                found.addAll(new ClassSearch(libraries, loader).find(name));
            } else if (!isOfSources && others.hasAny(name)) {
                found.addAll(new ClassSearch(others, loader).find(name));
            } else if (!isOfSources) {
                throw CommandException.usage("There is no class and no package " + each
                        + " in the given sources, jars and folders, nor on the class path.");
            }
        }
        return found;
    }

    private String title() {
        return Stream.concat(files.stream().map(Path::toString), names.stream()).collect(Collectors.joining(", "));
    }
}
