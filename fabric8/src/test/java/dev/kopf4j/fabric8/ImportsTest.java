package dev.kopf4j.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Operator;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Users import both packages as a whole: each name that both have costs them a line. */
class ImportsTest {
    @Test
    void onlyPatchAndStatusAreNamesOfFabric8sModelsToo() throws Exception {
        Set<String> ours = publicNames(Operator.class);
        Set<String> models = publicNames(Pod.class);
        assertThat(ours).hasSizeGreaterThan(50);
        assertThat(models).hasSizeGreaterThan(500);
        Set<String> both = new TreeSet<>(ours);
        both.retainAll(models);
        assertThat(both).as("docs/handlers.md, Imports, names them all").containsExactly("Patch", "Status");
    }

    /** The simple names of the public top-level types in the package of a class, wherever that was loaded from. */
    private static Set<String> publicNames(Class<?> one) throws IOException, URISyntaxException {
        Path place =
                Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        String folder = one.getPackageName().replace('.', '/');
        if (Files.isDirectory(place)) {
            return publicNames(one, place.resolve(folder));
        }
        try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), java.util.Map.of())) {
            return publicNames(one, jar.getPath(folder));
        }
    }

    private static Set<String> publicNames(Class<?> one, Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.contains("$") && !name.contains("-info"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .filter(name -> isPublic(one.getPackageName() + "." + name))
                    .collect(Collectors.toSet());
        }
    }

    private static boolean isPublic(String name) {
        try {
            return java.lang.reflect.Modifier.isPublic(Class.forName(name, false, ImportsTest.class.getClassLoader())
                    .getModifiers());
        } catch (ClassNotFoundException e) {
            throw new LinkageError(name, e);
        }
    }
}
