package dev.kopf4j.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.types.text.JsonMerge;
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
        assertThat(RoundTrip.differences(RoundTrip.expected(definition), RoundTrip.essence(again)))
                .isEmpty();
        assertThat(DefinitionChanges.between(definition, again)).noneMatch(Change::breaking);
    }

    /** Names that the sources import or take from {@code java.lang}, and those that Java would not take as they are. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Schema",
                "List",
                "Set",
                "Map",
                "Rule",
                "Scale",
                "Scope",
                "Condition",
                "CustomResource",
                "ListType",
                "MapType",
                "PrinterColumn",
                "Instant",
                "String",
                "Object",
                "Nullable",
                "site-plan",
                "class"
            })
    @Tag("M15")
    void keepsKindsOfNamesThatJavaUsesOtherwise(String kind) throws IOException {
        Map<String, Object> definition = JsonMerge.apply(
                map(resource("everything.yaml")), Map.of("spec", Map.of("names", Map.of("kind", kind))));
        Map<String, Object> again = new RoundTrip(folder).of(definition);
        assertThat(DefinitionChanges.between(definition, again)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../Evil", "Evil() {} class Other", "/tmp/Evil", "Evil\nclass", "1st", "-a", ""})
    @Tag("M15")
    void refusesNamesThatNoServerWouldTake(String name) {
        Map<String, Object> version = Map.of("name", "v1");
        Map<String, Object> spec = Map.of("names", Map.of("kind", name), "versions", List.of(version));
        assertRefused(spec, "spec.names.kind of the definition cannot be the name of a record: \"");
        assertRefused(
                Map.of("names", Map.of("kind", "Site"), "versions", List.of(version, Map.of("name", name))),
                "a version of the definition cannot be the name of a record: \"");
    }

    private static void assertRefused(Map<String, Object> spec, String words) {
        List<Map<String, Object>> definitions = List.of(Map.of("kind", "CustomResourceDefinition", "spec", spec));
        assertThatThrownBy(() -> RecordSources.files(definitions, ""))
                .isInstanceOf(TypeException.class)
                .hasMessageContaining(words);
    }

    @Test
    @Tag("M15")
    void writesNothingOfRulesButTextsAndFlags() {
        Map<String, Object> spec = Map.of(
                "names", Map.of("kind", "Site"),
                "versions",
                        List.of(Map.of(
                                "name",
                                "v1",
                                "schema",
                                Map.of(
                                        "openAPIV3Schema",
                                        Map.of(
                                                "x-kubernetes-validations",
                                                List.of(Map.of(
                                                        "rule",
                                                        "true",
                                                        "optionalOldSelf",
                                                        Map.of("true}) Evil", 1))))))));
        assertThat(RecordSources.together(List.of(Map.of("kind", "CustomResourceDefinition", "spec", spec))))
                .contains("@Schema(json = ")
                .doesNotContain("@Rule");
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
