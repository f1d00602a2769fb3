package dev.kopf4j.cli.source;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import javax.tools.SimpleJavaFileObject;

/** A class file that the compiler writes into memory. Confined to one compilation; after it, it is only read. */
final class MemoryClassFile extends SimpleJavaFileObject {
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    MemoryClassFile(String className) {
        super(URI.create("memory:///" + className.replace('.', '/') + Kind.CLASS.extension), Kind.CLASS);
    }

    @Override
    public OutputStream openOutputStream() {
        return content;
    }

    byte[] bytes() {
        return content.toByteArray();
    }
}
