package dev.kopf4j.json;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.Optional;

/** What a compiler has written of a class: more than reflection shows, such as the order of its methods. Stateless. */
public final class CompiledClass {
    private CompiledClass() {}

    /**
     * Reads the class file.
     *
     * @return empty if it is not at hand, as for classes that are made at run time
     * @throws UncheckedIOException if it cannot be read
     */
    public static Optional<ClassModel> of(Class<?> type) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream bytes = type.getResourceAsStream(file)) {
            return bytes == null ? Optional.empty() : Optional.of(ClassFile.of().parse(bytes.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the class file of " + type.getName(), e);
        }
    }
}
