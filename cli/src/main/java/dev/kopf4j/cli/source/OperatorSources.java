package dev.kopf4j.cli.source;

import dev.kopf4j.cli.process.CommandException;
import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The places of an operator's handlers: source files, which are compiled together; jars and folders of classes; and
 * named classes and packages in these or on the program's own class path. Immutable.
 *
 * @param files sources, jars and folders, in any order
 * @param modules names of classes and packages
 */
public record OperatorSources(List<Path> files, List<String> modules) {
    public OperatorSources {
        files = List.copyOf(files);
        modules = List.copyOf(modules);
    }

    /**
     * Compiles and loads the classes.
     *
     * @param diagnostics gets javac's messages
     * @return first those of sources, in their order; then those of jars and folders, sorted by name; then the named
     *     ones. If there are names, jars and folders only serve to find them.
     * @throws CommandException if the sources do not compile
     */
    public LoadedClasses load(PrintWriter diagnostics) {
        ClassFolders folders =
                new ClassFolders(files.stream().filter(file -> !isSource(file)).toList());
        ClassLoader loader = folders.loader(OperatorSources.class.getClassLoader());
        List<Class<?>> classes = new ArrayList<>(compiled(folders, loader, diagnostics));
        if (modules.isEmpty()) {
            folders.names().forEach(name -> classes.add(loaded(name, loader)));
        }
        modules.forEach(name -> classes.addAll(named(name, folders, loader)));
        return new LoadedClasses(
                classes, files.stream().filter(OperatorSources::isSource).toList(), names());
    }

    private static boolean isSource(Path file) {
        return file.toString().endsWith(".java");
    }

    private List<Class<?>> compiled(ClassFolders folders, ClassLoader loader, PrintWriter diagnostics) {
        List<Path> sources = files.stream().filter(OperatorSources::isSource).toList();
        if (sources.isEmpty()) {
            return List.of();
        }
        String own = System.getProperty("java.class.path", "");
        String classPath = folders.classPath().isEmpty() ? own : own + File.pathSeparator + folders.classPath();
        try {
            return new SourceCompiler(classPath)
                    .compile(sources, diagnostics, loader)
                    .topLevelClasses();
        } catch (CompilationException e) {
            throw CommandException.sources(String.valueOf(e.getMessage()));
        }
    }

    private static Class<?> loaded(String name, ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw CommandException.sources("Cannot load the class " + name + ": " + e);
        }
    }

    /** One class, or all classes of a package. */
    private static List<Class<?>> named(String name, ClassFolders folders, ClassLoader loader) {
        try {
            return List.of(Class.forName(name, false, loader));
        } catch (ClassNotFoundException e) {
            List<Class<?>> inPackage = Stream.concat(folders.names().stream(), ownClassPath().names().stream())
                    .filter(each -> each.startsWith(name + ".") && each.indexOf('.', name.length() + 1) < 0)
                    .<Class<?>>map(each -> loaded(each, loader))
                    .toList();
            if (inPackage.isEmpty()) {
                throw CommandException.usage("There is no class and no package " + name
                        + " in the given jars and folders, nor on the class path.");
            }
            return inPackage;
        } catch (LinkageError e) {
            throw CommandException.sources("Cannot load the class " + name + ": " + e);
        }
    }

    private static ClassFolders ownClassPath() {
        return new ClassFolders(Arrays.stream(System.getProperty("java.class.path", "")
                        .split(java.util.regex.Pattern.quote(File.pathSeparator), -1))
                .filter(part -> !part.isEmpty())
                .map(Path::of)
                .filter(java.nio.file.Files::exists)
                .toList());
    }

    private String names() {
        return Stream.concat(files.stream().map(Path::toString), modules.stream())
                .collect(Collectors.joining(", "));
    }
}
