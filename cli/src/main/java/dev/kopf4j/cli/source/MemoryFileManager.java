package dev.kopf4j.cli.source;

import dev.kopf4j.cli.library.ProgramLibraries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.StandardLocation;

/** Lets javac read from disk and write into memory. Confined to one compilation. */
final class MemoryFileManager extends ForwardingJavaFileManager<JavaFileManager> {
    private final List<CompiledClass> outputs = new ArrayList<>();

    private final ProgramLibraries program;

    /** Makes one for a compilation that sees these libraries of the program, besides its class path. */
    MemoryFileManager(JavaFileManager disk, ProgramLibraries program) {
        super(disk);
        this.program = program;
    }

    @Override
    public Iterable<JavaFileObject> list(
            Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse) throws IOException {
        Iterable<JavaFileObject> given = super.list(location, packageName, kinds, recurse);
        Optional<Location> shared =
                location == StandardLocation.CLASS_PATH ? program.location(packageName) : Optional.empty();
        if (shared.isEmpty()) {
            return given;
        }
        var all = new ArrayList<JavaFileObject>(); // the program's come first, as when they are loaded
        super.list(shared.get(), packageName, kinds, recurse).forEach(all::add);
        given.forEach(all::add);
        return all;
    }

    List<SourceFile> sources(Iterable<? extends JavaFileObject> files) {
        var sources = new ArrayList<SourceFile>();
        files.forEach(file -> sources.add(new SourceFile(file, sources.size())));
        return sources;
    }

    /** Returns the classes that the compiler has written, in that order. */
    List<CompiledClass> outputs() {
        return List.copyOf(outputs);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
            Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
        int position = sibling instanceof SourceFile source ? source.position() : Integer.MAX_VALUE;
        var file = new MemoryClassFile(className);
        outputs.add(new CompiledClass(className, position, file));
        return file;
    }

    @Override
    public boolean isSameFile(FileObject one, FileObject other) {
        return one.toUri().equals(other.toUri());
    }
}
