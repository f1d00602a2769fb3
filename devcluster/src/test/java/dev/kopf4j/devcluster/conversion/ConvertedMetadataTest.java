package dev.kopf4j.devcluster.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.devcluster.conversion.WebhookConverter.ConvertedMetadata;
import dev.kopf4j.devcluster.json.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What is left of the metadata that a conversion webhook answers. */
class ConvertedMetadataTest {
    private static final String ORIGINAL =
            "{\"metadata\":{\"name\":\"a\",\"labels\":{\"bad key\":\"v\"},\"annotations\":{\"k\":\"v\"}}}";

    private static ObjectNode tree(String json) {
        return (ObjectNode) Json.parse(json);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"labels":{"bad key":"v"},"annotations":{"k":"v"}} | {"name":"a","labels":{"bad key":"v"},"annotations":{"k":"v"}}
            {"labels":{"l":"w"},"annotations":{"K/n":"v"}}     | {"name":"a","labels":{"l":"w"},"annotations":{"K/n":"v"}}
            {"labels":null}                                    | {"name":"a"}
            {"name":"b","finalizers":["f"],"uid":"u"}          | {"name":"a"}
            """)
    void onlyLabelsAndAnnotationsAreTaken(String answered, String left) throws ConversionFailed {
        ObjectNode converted = tree("{\"metadata\":" + answered + "}");
        ConvertedMetadata.restore(tree(ORIGINAL), converted);
        assertThat(converted.path("metadata")).isEqualTo(Json.parse(left));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                        | missing metadata in converted object
            {"metadata":"x"}                          | invalid metadata of type string in converted object
            {"metadata":{"labels":["x"]}}             | invalid metadata.labels of type []interface {} in converted object
            {"metadata":{"annotations":{"a":1}}}      | metadata.annotations[a] must be a string, but is int64 in converted object
            {"metadata":{"labels":{"/a":"b"}}}        | metadata.labels: Invalid value: "/a": prefix part must be non-empty
            {"metadata":{"annotations":{"/a":"b"}}}   | metadata.annotation: Invalid value: "/a": prefix part must be non-empty
            {"metadata":{"labels":{"/a":"b","/c":"d"}}} | [metadata.labels: Invalid value: "/a": prefix part must be non-empty, metadata.labels: Invalid value: "/c": prefix part must be non-empty]
            """)
    void unusableMetadataIsRefused(String converted, String problem) {
        assertThatExceptionOfType(ConversionFailed.class)
                .isThrownBy(() -> ConvertedMetadata.restore(tree(ORIGINAL), tree(converted)))
                .withMessage(problem);
    }
}
