package dev.kopf4j.cli.library;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parent of operators' classes: has the JDK and the shared libraries of the program, nothing else. Thread-safe. */
final class SharedClassLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final String SERVICES = "META-INF/services/";

    private final ClassLoader program;

    SharedClassLoader(ClassLoader program) {
        super("kopf4j", getPlatformClassLoader());
        this.program = program;
    }

    /** The JDK's modules of tools, such as {@code jdk.compiler}, which the platform's loader does not have. */
    private static final class Tools {
        static final Set<String> PACKAGES = ModuleLayer.boot().modules().stream()
                .filter(module -> getSystemClassLoader().equals(module.getClassLoader()))
                .filter(module -> !module.getName().startsWith("dev.kopf4j"))
                .flatMap(module -> module.getPackages().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isShared(String packageName) {
        return SharedLibrary.of(packageName).filter(SharedLibrary::isLoaded).isPresent()
                || Tools.PACKAGES.contains(packageName);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (!isShared(packageOf(name))) {
            throw new ClassNotFoundException(name);
        }
        return program.loadClass(name);
    }

    /** Class files and resources of shared packages, and implementations of their interfaces. */
    @Override
    protected @Nullable URL findResource(String name) {
        return isSharedResource(name) ? program.getResource(name) : null;
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        return isSharedResource(name) ? program.getResources(name) : Collections.emptyEnumeration();
    }

    private static boolean isSharedResource(String name) {
        return isShared(packageOf(name.startsWith(SERVICES) ? name.substring(SERVICES.length()) : folder(name)));
    }

    private static String folder(String name) {
        return name.substring(0, name.lastIndexOf('/') + 1).replace('/', '.');
    }

    private static String packageOf(String className) {
        return className.substring(0, Math.max(0, className.lastIndexOf('.')));
    }
}
