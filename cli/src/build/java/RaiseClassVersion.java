import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodElement;
import java.lang.classfile.MethodModel;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Run by the build on the jars of the distribution: gives classes of old formats that of Java 8, with the stack maps that
 * it asks for. The JVM stores no older classes in its start-up cache; those of the command line's library would cost each
 * start 80 ms. What they do stays the same. Arguments: the jars, which are replaced.
 */
final class RaiseClassVersion {
    private static final int JAVA_8 = 52;
    private static final String NOTICE = "META-INF/CHANGED-BY-KOPF4J.txt";

    public static void main(String[] jars) throws IOException {
        for (String jar : jars) {
            Path path = Path.of(jar);
            Path changed = path.resolveSibling(path.getFileName() + ".changed");
            var time = Files.getLastModifiedTime(path);
            try (var loader = new URLClassLoader(new URL[] {path.toUri().toURL()}, null)) {
                change(path, changed, loader);
            }
            Files.move(changed, path, StandardCopyOption.REPLACE_EXISTING);
            Files.setLastModifiedTime(path, time);
        }
    }

    private static void change(Path from, Path to, ClassLoader itsClasses) throws IOException {
        var hierarchy = ClassHierarchyResolver.ofResourceParsing(itsClasses)
                .orElse(ClassHierarchyResolver.ofResourceParsing(ClassLoader.getSystemClassLoader()));
        var format = ClassFile.of(
                ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                ClassFile.ClassHierarchyResolverOption.of(hierarchy));
        try (var in = new JarFile(from.toFile());
                OutputStream file = Files.newOutputStream(to);
                var out = new JarOutputStream(file)) {
            for (JarEntry entry : Collections.list(in.entries())) {
                byte[] content = in.getInputStream(entry).readAllBytes();
                add(out, entry, entry.getName().endsWith(".class") ? raised(content, format) : content);
            }
            var notice = new JarEntry(NOTICE);
            notice.setTime(Files.getLastModifiedTime(from).toMillis());
            add(out, notice, "The class files were brought to the format of Java 8. Nothing else was changed.\n"
                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        }
    }

    private static void add(JarOutputStream out, JarEntry like, byte[] content) throws IOException {
        var entry = new JarEntry(like.getName());
        entry.setTime(like.getTime());
        out.putNextEntry(entry);
        out.write(content);
        out.closeEntry();
    }

    private static byte[] raised(byte[] content, ClassFile format) {
        ClassModel old = format.parse(content);
        if (old.majorVersion() >= JAVA_8) {
            return content;
        }
        return format.build(old.thisClass().asSymbol(), builder -> {
            builder.withVersion(JAVA_8, 0);
            for (ClassElement element : old) {
                switch (element) {
                    case ClassFileVersion version -> {}
                    // Its code anew, instruction by instruction: what is copied whole gets no stack maps.
                    case MethodModel method ->
                        builder.withMethod(
                                method.methodName(), method.methodType(), method.flags().flagsMask(), methodBuilder -> {
                                    for (MethodElement part : method) {
                                        if (part instanceof CodeModel code) {
                                            methodBuilder.withCode(codeBuilder -> code.forEach(codeBuilder::with));
                                        } else {
                                            methodBuilder.with(part);
                                        }
                                    }
                                });
                    default -> builder.with(element);
                }
            }
        });
    }
}
