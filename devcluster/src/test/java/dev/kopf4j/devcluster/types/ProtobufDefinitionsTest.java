package dev.kopf4j.devcluster.types;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Definitions as typed Go clients send them: {@code definition.protobuf.base64} is {@code definition.json} as the
 * encoder of apimachinery v1.33 writes it. Tests {@link ProtobufDecoder}.
 */
class ProtobufDefinitionsTest {
    private static final String PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    @Test
    void aDefinitionInProtobufIsTheSameAsInJson() throws IOException {
        JsonNode fromProtobuf = create(
                "application/vnd.kubernetes.protobuf",
                Base64.getMimeDecoder().decode(read("definition.protobuf.base64")));
        JsonNode fromJson = create("application/json", read("definition.json"));
        assertThat(fromProtobuf.at("/metadata/name").asString()).isEqualTo("widgets.example.com");
        assertThat(fromProtobuf.path("spec")).isEqualTo(fromJson.path("spec"));
        assertThat(fromProtobuf.at("/metadata/labels")).isEqualTo(fromJson.at("/metadata/labels"));
    }

    private static JsonNode create(String mediaType, byte[] body) {
        InMemory cluster = new InMemory(options -> options);
        ApiResponse response = cluster.server()
                .handle(ApiRequest.of(
                        "POST",
                        PATH,
                        Map.of("authorization", "Bearer " + InMemory.TOKEN, "content-type", mediaType),
                        body));
        JsonNode answer = Json.parse(((ApiResponse.Whole) response.body()).bytes());
        assertThat(response.status()).as("%s", answer).isEqualTo(201);
        return answer;
    }

    private static byte[] read(String file) throws IOException {
        try (InputStream stream = ProtobufDefinitionsTest.class.getResourceAsStream(file)) {
            assertThat(stream).as(file).isNotNull();
            return stream.readAllBytes();
        }
    }
}
