package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A package has at most twenty classes, or its package-info says why it has "more than twenty". */
class PackageSizesTest {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final int CLASSES_MAX = 20;

    @Test
    void bigPackagesSayWhyTheyAreBig() throws IOException {
        Map<Path, List<Path>> packages;
        try (Stream<Path> files = Files.walk(SOURCES)) {
            packages = files.filter(PackageSizesTest::isClass).collect(Collectors.groupingBy(Path::getParent));
        }
        assertThat(packages).hasSizeGreaterThan(40);
        assertThat(packages.entrySet().stream()
                        .filter(each -> each.getValue().size() > CLASSES_MAX)
                        .map(Map.Entry::getKey)
                        .filter(each -> !saysWhy(each)))
                .isEmpty();
    }

    private static boolean isClass(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".java") && !name.equals("package-info.java") && !name.equals("module-info.java");
    }

    private static boolean saysWhy(Path folder) {
        try {
            String text = Files.readString(folder.resolve("package-info.java"));
            return text.replaceAll("[\\s*]+", " ").contains("more than twenty classes because");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
