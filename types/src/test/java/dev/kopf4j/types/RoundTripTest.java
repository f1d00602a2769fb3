package dev.kopf4j.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.types.text.YamlReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From a definition to records, and back to an equal one. */
class RoundTripTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"everything.yaml", "pair.yaml", "versions.yaml", "unusual.yaml"})
    @Tag("M15")
    void keepsTheDefinition(String file) throws IOException {
        Map<String, Object> definition = map(resource(file));
        Map<String, Object> again = new RoundTrip(folder).of(definition);
        assertThat(RoundTrip.differences(RoundTrip.essence(definition), RoundTrip.essence(again)))
                .isEmpty();
        assertThat(DefinitionChanges.between(definition, again)).isEmpty();
    }

    @Test
    void theComparisonOfTheTestSeesWhatIsLost() throws IOException {
        Map<String, Object> definition = map(resource("pair.yaml"));
        Map<String, Object> other = map(resource("pair.yaml").replace("replicas", "copies"));
        assertThat(RoundTrip.differences(RoundTrip.essence(definition), RoundTrip.essence(other)))
                .hasSize(2);
    }

    @Test
    @Tag("M15")
    void whatIsNoDefinitionIsRefused() {
        assertThatThrownBy(() -> RecordSources.together(List.of(Map.of("kind", "ConfigMap"))))
                .isInstanceOf(TypeException.class)
                .hasMessageContaining("not a custom resource definition: ConfigMap")
                .hasMessageContaining("kubectl get crd NAME -o yaml");
    }

    @SuppressWarnings("unchecked") // keys are texts
    private static Map<String, Object> map(String yaml) {
        @Nullable Object document = YamlReader.documents(yaml).getFirst();
        return (Map<String, Object>) Objects.requireNonNull(document);
    }

    private static String resource(String name) throws IOException {
        try (var stream = RoundTripTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
