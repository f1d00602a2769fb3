package dev.kopf4j.engine.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.engine.conversion.DefinitionConverter.ConversionFailure;
import dev.kopf4j.engine.conversion.DefinitionConverter.ConvertedMetadata;
import dev.kopf4j.engine.simulation.Scenario;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What a conversion may change of an object's metadata. */
@Tag("J26")
class ConvertedMetadataTest {
    private static final List<String> PREFIXES = List.of("kopf.zalando.org", "mine.example.com");
    private static final String BEFORE = """
            {'metadata': {'name': 'a', 'namespace': 'ns', 'uid': 'u1', 'resourceVersion': '7', 'generation': 2,
              'creationTimestamp': '2026-01-01T00:00:00Z', 'finalizers': ['f'], 'ownerReferences': [{'uid': 'o'}],
              'labels': {'app': 'x', 'bad key': 'v'}, 'annotations': {'k': 'v'}, 'managedFields': [{'manager': 'm'}]}}""";

    private static ObjectNode restored(ObjectNode converted) throws ConversionFailure {
        ConvertedMetadata.restore(Scenario.json(BEFORE), converted, PREFIXES);
        return converted;
    }

    /** The original with some fields of its metadata replaced. */
    private static ObjectNode changed(String fields) {
        ObjectNode object = Scenario.json(BEFORE);
        object.withObject("/metadata").setAll(Scenario.json(fields));
        return object;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}
            {'labels': {'app': 'y'}}
            {'labels': {}}
            {'labels': {'example.com/tier': ''}, 'annotations': {'K/n': 'anything ü'}}
            {'annotations': null}
            {'annotations': {}, 'labels': null}
            """)
    void labelsAndAnnotationsAreTaken(String fields) throws ConversionFailure {
        ObjectNode wanted = changed(fields);
        for (String field : new String[] {"labels", "annotations"}) {
            if (wanted.at("/metadata/" + field).isEmpty()) {
                wanted.withObject("/metadata").remove(field);
            }
        }
        assertThat(restored(changed(fields))).isEqualTo(wanted);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'name': 'b'}                           | metadata.name: it was 'a' and has become 'b'
            {'namespace': 'other'}                  | metadata.namespace: it was 'ns' and has become 'other'
            {'namespace': null}                     | metadata.namespace: it has been removed
            {'uid': 'u2'}                           | metadata.uid: it was 'u1' and has become 'u2'
            {'resourceVersion': '8'}                | metadata.resourceVersion: it was '7' and has become '8'
            {'generation': 3}                       | metadata.generation: it was '2' and has become '3'
            {'creationTimestamp': 'x'}              | metadata.creationTimestamp: it was '2026-01-01T00:00:00Z' and has become 'x'
            {'deletionTimestamp': 'x'}              | metadata.deletionTimestamp: it was absent and has become 'x'
            {'finalizers': []}                      | metadata.finalizers: it has been changed
            {'ownerReferences': [{'uid': 'p'}]}     | metadata.ownerReferences: it has been changed
            {'generateName': 'a-'}                  | metadata.generateName: it was absent and has become 'a-'
            {'labels': ['x']}                       | metadata.labels: they must be a mapping
            {'labels': {'a': 1}}                    | metadata.labels[a]: the value must be text
            {'labels': {'a': 'not valid'}}          | metadata.labels[a]: the API server does not take the value 'not valid'
            {'labels': {'/a': 'b'}}                 | metadata.labels[/a]: the API server does not take such a key
            {'annotations': {'a': {}}}              | metadata.annotations[a]: the value must be text
            {'annotations': {'-a': 'b'}}            | metadata.annotations[-a]: the API server does not take such a key
            """)
    void allElseIsRefusedInWords(String fields, String problem) {
        assertThatExceptionOfType(ConversionFailure.class)
                .isThrownBy(() -> restored(changed(fields)))
                .withMessageStartingWith(problem);
    }

    @Test
    void whatIsMissingIsRestored() throws ConversionFailure {
        ObjectNode bare = Scenario.json(
                "{'metadata': {'name': 'a', 'namespace': 'ns', 'uid': 'u1', 'labels': {'app': 'z'}, 'ownerReferences': [{'uid': 'o'}]}}");
        ObjectNode wanted = changed("{'labels': {'app': 'z'}}");
        assertThat(restored(bare)).isEqualTo(wanted);
        assertThat(restored(Scenario.json("{}"))).isEqualTo(Scenario.json(BEFORE));
    }

    @Test
    void annotationsAreNotTooLong() {
        ObjectNode converted = changed("{}");
        converted.withObject("/metadata/annotations").put("long", "x".repeat(256 * 1024));
        assertThatExceptionOfType(ConversionFailure.class)
                .isThrownBy(() -> restored(converted))
                .withMessageContaining("the API server takes 262144");
    }

    @Test
    void theFrameworksOwnAnnotationsStay() throws ConversionFailure {
        ObjectNode original = Scenario.json(
                "{'metadata': {'name': 'a', 'annotations': {'kopf.zalando.org/fn': 'r', 'kopf.zalando.orgs/fn': 's', 'k': 'v'}}}");
        ObjectNode converted =
                Scenario.json("{'metadata': {'name': 'a', 'annotations': {'kopf.zalando.org/fn': 'other', 'n': 'w'}}}");
        ConvertedMetadata.restore(original, converted, PREFIXES);
        assertThat(converted.at("/metadata/annotations"))
                .isEqualTo(Scenario.json("{'kopf.zalando.org/fn': 'r', 'n': 'w'}"));
    }
}
