package dev.kopf4j.cli.source;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.JavaFileObject.Kind;
import org.jspecify.annotations.Nullable;

/** Defines classes from memory when they are needed. Thread-safe. */
final class MemoryClassLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> classes;

    MemoryClassLoader(List<CompiledClass> compiled, ClassLoader parent) {
        super("sources", parent);
        var bytes = new HashMap<String, byte[]>();
        compiled.forEach(each -> bytes.put(each.name(), each.file().bytes()));
        this.classes = Map.copyOf(bytes);
    }

    Class<?> load(String name) {
        try {
            return loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("javac reported the class " + name + " but did not write it", e);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = classes.get(name);
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    /** Returns class files as well: only they show the order of the methods in the source. */
    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        String extension = Kind.CLASS.extension;
        if (name.endsWith(extension)) {
            String className =
                    name.substring(0, name.length() - extension.length()).replace('/', '.');
            byte[] bytes = classes.get(className);
            if (bytes != null) {
                return new ByteArrayInputStream(bytes);
            }
        }
        return super.getResourceAsStream(name);
    }
}
