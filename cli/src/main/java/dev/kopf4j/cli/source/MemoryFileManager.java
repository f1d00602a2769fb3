package dev.kopf4j.cli.source;

import java.util.ArrayList;
import java.util.List;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;

/** Lets javac read from disk and write into memory. Confined to one compilation. */
final class MemoryFileManager extends ForwardingJavaFileManager<JavaFileManager> {
    private final List<CompiledClass> outputs = new ArrayList<>();

    MemoryFileManager(JavaFileManager disk) {
        super(disk);
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
