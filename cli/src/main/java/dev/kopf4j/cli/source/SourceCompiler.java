package dev.kopf4j.cli.source;

import dev.kopf4j.cli.library.ClassFolders;
import dev.kopf4j.cli.library.ProgramLibraries;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles Java source files together, in memory, against a class path. Immutable.
 *
 * <p>The language level is that of the running JDK. Parameter names are kept ({@code -parameters}), because handlers
 * get some of their arguments by name; the source mode of the {@code java} launcher drops them. Nothing is written to
 * disk.
 */
public final class SourceCompiler {
    private final ProgramLibraries program;
    private final ClassFolders libraries;

    /**
     * Makes a compiler for sources that use the given libraries.
     *
     * @param program what sources see of this program
     */
    public SourceCompiler(ProgramLibraries program, ClassFolders libraries) {
        this.program = program;
        this.libraries = libraries;
    }

    /**
     * Compiles the files. Errors and warnings go to {@code diagnostics} in javac's own form, with positions; after them
     * comes the solution of a problem with imports of several libraries.
     *
     * @param sources existing files; a public class may be in a file of another name
     * @param loader loads the libraries that the sources use
     * @return the compiled classes
     * @throws CompilationException if javac found errors, or gave up
     */
    public CompiledSources compile(List<Path> sources, Writer diagnostics, ClassLoader loader) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        if (javac == null) {
            throw new CompilationException("This Java has no compiler: run kopf4j with a JDK, not a JRE.");
        }
        boolean isFixed = libraries.places().isEmpty() && program.jar().isEmpty();
        LibraryFiles.Use<CompiledSources> compilation = files -> compile(javac, files, sources, diagnostics, loader);
        try {
            return isFixed ? LibraryFiles.share(javac, compilation) : LibraryFiles.own(javac, compilation);
        } catch (IOException e) {
            throw new UncheckedIOException("Writing the compiler's messages or closing its files failed", e);
        }
    }

    private CompiledSources compile(
            JavaCompiler javac,
            StandardJavaFileManager standard,
            List<Path> sources,
            Writer diagnostics,
            ClassLoader loader)
            throws IOException {
        program.locate(standard);
        var files = new MemoryFileManager(standard, program);
        var units = files.sources(standard.getJavaFileObjectsFromPaths(sources));
        StringWriter messages = new StringWriter();
        boolean compiled =
                javac.getTask(messages, files, null, options(), null, units).call();
        diagnostics.write(messages.toString());
        if (!compiled) {
            List<String> ambiguous = AmbiguousImports.hints(messages.toString());
            for (String hint : ambiguous.isEmpty() ? MissingImports.hints(messages.toString(), loader) : ambiguous) {
                diagnostics.write(hint + "\n");
            }
            diagnostics.flush();
            throw new CompilationException("The sources do not compile: see the compiler's messages above.");
        }
        return new CompiledSources(files.outputs(), loader);
    }

    // No --release: without it javac takes the running JDK's level and reads its modules directly, which is faster.
    // No places of processors, or javac would look for plug-ins in each jar of the class path.
    private List<String> options() {
        return List.of(
                "-parameters",
                "-g",
                "-proc:none",
                "-processorpath",
                "",
                "-classpath",
                new ClassFolders(program.classPath()).and(libraries.places()).classPath());
    }
}
