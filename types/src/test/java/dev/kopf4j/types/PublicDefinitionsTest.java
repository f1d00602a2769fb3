package dev.kopf4j.types;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.types.text.YamlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Definitions of public operators: one of ten each, which {@code operators/NOTICE} names, and on demand all that are in
 * a folder: {@code -Dkopf4j.definitions=FOLDER}.
 */
class PublicDefinitionsTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "argo-cd",
                "cert-manager",
                "cloudnative-pg",
                "crossplane",
                "external-secrets",
                "keda",
                "knative-serving",
                "longhorn",
                "prometheus-operator",
                "strimzi"
            })
    @Tag("M16")
    void definitionsOfTenOperatorsSurviveTheRoundTrip(String operator) throws IOException {
        Map<String, Object> definition = definitions(packed(operator)).toList().getFirst();
        survives(operator, definition);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("definitionsOfTheFolder")
    @EnabledIfSystemProperty(named = "kopf4j.definitions", matches = ".+")
    void definitionsOfAFolderSurviveTheRoundTrip(String name, Map<String, Object> definition) {
        survives(name, definition);
    }

    private void survives(String name, Map<String, Object> definition) {
        Map<String, Object> again = new RoundTrip(folder).of(definition);
        assertThat(RoundTrip.differences(RoundTrip.expected(definition), RoundTrip.essence(again)))
                .as(name)
                .isEmpty();
        assertThat(DefinitionChanges.between(definition, again)).as(name).noneMatch(Change::breaking);
    }

    private static String packed(String operator) throws IOException {
        String file = "operators/" + operator + ".yaml.gz";
        try (var packed = Objects.requireNonNull(PublicDefinitionsTest.class.getResourceAsStream(file), file);
                var text = new GZIPInputStream(packed)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static Stream<Arguments> definitionsOfTheFolder() throws IOException {
        Path root = Path.of(Objects.requireNonNull(System.getProperty("kopf4j.definitions")));
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream()
                    .flatMap(file -> definitionsOfTheFolder(root, file));
        }
    }

    private static Stream<Arguments> definitionsOfTheFolder(Path root, Path file) {
        try {
            return definitions(Files.readString(file))
                    .map(each -> Arguments.of(
                            root.relativize(file) + " "
                                    + ((Map<?, ?>) each.getOrDefault("metadata", Map.of())).get("name"),
                            each));
        } catch (IOException e) {
            throw new UncheckedIOException("in " + file, e);
        }
    }

    @SuppressWarnings("unchecked") // keys are texts
    private static Stream<Map<String, Object>> definitions(String text) {
        return YamlReader.documents(text).stream()
                .filter(each -> each instanceof Map<?, ?> map && "CustomResourceDefinition".equals(map.get("kind")))
                .map(each -> (Map<String, Object>) each);
    }
}
