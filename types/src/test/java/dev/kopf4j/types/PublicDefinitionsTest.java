package dev.kopf4j.types;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.types.text.YamlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Definitions of public operators, from a folder on demand: {@code -Dkopf4j.definitions=FOLDER}. */
@EnabledIfSystemProperty(named = "kopf4j.definitions", matches = ".+")
class PublicDefinitionsTest {
    @TempDir
    private Path folder;

    static Stream<Arguments> definitions() throws IOException {
        Path root = Path.of(Objects.requireNonNull(System.getProperty("kopf4j.definitions")));
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream()
                    .flatMap(file -> definitions(root, file));
        }
    }

    @SuppressWarnings("unchecked") // keys are texts
    private static Stream<Arguments> definitions(Path root, Path file) {
        try {
            return YamlReader.documents(Files.readString(file)).stream()
                    .filter(each -> each instanceof Map<?, ?> map && "CustomResourceDefinition".equals(map.get("kind")))
                    .map(each -> (Map<String, Object>) each)
                    .map(each -> Arguments.of(
                            root.relativize(file) + " "
                                    + ((Map<?, ?>) each.getOrDefault("metadata", Map.of())).get("name"),
                            each));
        } catch (IOException e) {
            throw new UncheckedIOException("in " + file, e);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("definitions")
    void surviveTheRoundTrip(String name, Map<String, Object> definition) {
        Map<String, Object> again = new RoundTrip(folder).of(definition);
        assertThat(RoundTrip.differences(RoundTrip.essence(definition), RoundTrip.essence(again)))
                .as(name)
                .isEmpty();
        assertThat(DefinitionChanges.between(definition, again)).as(name).noneMatch(Change::breaking);
    }
}
