package dev.kopf4j.cli.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Makes libraries as users have them, in a folder of a test. */
record UserLibrary(Path folder) {
    /** Compiles the sources, each the only public class of its file, into a folder of classes. */
    Path classes(String name, Map<String, String> sources, Path... libraries) throws IOException {
        Path target = Files.createDirectories(folder.resolve(name));
        Path from = Files.createDirectories(folder.resolve(name + "-sources"));
        var arguments = new ArrayList<>(List.of("-parameters", "-proc:none", "-d", target.toString(), "-cp"));
        arguments.add(Stream.concat(
                        Stream.of(System.getProperty("java.class.path")),
                        Arrays.stream(libraries).map(Path::toString))
                .collect(Collectors.joining(java.io.File.pathSeparator)));
        for (var source : new LinkedHashMap<>(sources).entrySet()) {
            arguments.add(Files.writeString(from.resolve(source.getKey() + ".java"), source.getValue())
                    .toString());
        }
        int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(result).isZero();
        return target;
    }

    /** Puts the files of folders and other jars into one jar. */
    Path jar(String name, Path... contents) throws IOException {
        Path jar = folder.resolve(name);
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Path content : contents) {
                if (Files.isDirectory(content)) {
                    addFolder(out, content);
                } else {
                    addJar(out, content);
                }
            }
        }
        return jar;
    }

    private static void addFolder(JarOutputStream out, Path content) throws IOException {
        try (Stream<Path> files = Files.walk(content)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(content.relativize(file).toString()));
                out.write(Files.readAllBytes(file));
            }
        }
    }

    private static void addJar(JarOutputStream out, Path content) throws IOException {
        try (var jar = new JarFile(content.toFile())) {
            for (var entry : java.util.Collections.list(jar.entries())) {
                if (!entry.isDirectory()) {
                    out.putNextEntry(new JarEntry(entry.getName()));
                    out.write(jar.getInputStream(entry).readAllBytes());
                }
            }
        }
    }

    /** A library that the build has put there. */
    static Path real(String artifact) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target/test-libraries"))) {
            return files.filter(file -> file.getFileName().toString().startsWith(artifact))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
