package dev.kopf4j.devcluster.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is told of kinds and of mistakes in requests. Tests {@code OpenApiDocuments} and {@code RequestDecoder}. */
class DocumentsTest {
    private final InMemory cluster = new InMemory(options -> options);

    @Test
    void theOlderDocumentHasTheDefinitionsOfAllKinds() {
        cluster.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.example.com}
                spec:
                  group: example.com
                  names: {plural: widgets, kind: Widget}
                  scope: Namespaced
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec:
                            type: object
                            required: [size, note]
                            properties:
                              size: {type: integer, minimum: 1}
                              note: {type: string, nullable: true}
                              open: {type: object, x-kubernetes-preserve-unknown-fields: true}
                              port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
                """);
        JsonNode definitions = cluster.get("/openapi/v2").path("definitions");
        JsonNode widget = definitions.path("com.example.v1.Widget");
        assertThat(widget.at("/x-kubernetes-group-version-kind/0/kind").asString())
                .isEqualTo("Widget");
        assertThat(widget.at("/properties/metadata/$ref").asString())
                .isEqualTo("#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
        JsonNode spec = widget.at("/properties/spec");
        assertThat(spec.path("required").toString()).isEqualTo("[\"size\"]");
        assertThat(spec.at("/properties/size").toString()).isEqualTo("{\"type\":\"integer\",\"minimum\":1}");
        assertThat(spec.at("/properties/note").isEmpty()).isTrue();
        assertThat(spec.at("/properties/open").has("type")).isFalse();
        assertThat(spec.at("/properties/port").has("anyOf")).isFalse();
        assertThat(definitions
                        .at("/io.k8s.api.apps.v1.Deployment/properties/spec/$ref")
                        .asString())
                .isEqualTo("#/definitions/io.k8s.api.apps.v1.DeploymentSpec");
        assertThat(definitions.has("io.k8s.api.apps.v1.DeploymentSpec")).isTrue();
    }

    /** kubectl would take fields that the document does not name for mistakes. */
    @Test
    void aKindThatTakesAnyFieldNamesNoneInTheSecondVersion() {
        cluster.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: gadgets.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: gadgets, kind: Gadget}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema:
                        type: object
                        description: anything
                        x-kubernetes-preserve-unknown-fields: true
                        properties:
                          spec: {type: object}
                """);
        JsonNode definitions = cluster.get("/openapi/v2").path("definitions");
        assertThat(definitions.path("com.example.v1.Gadget").toString())
                .isEqualTo("{\"type\":\"object\",\"x-kubernetes-group-version-kind\":"
                        + "[{\"group\":\"example.com\",\"kind\":\"Gadget\",\"version\":\"v1\"}]}");
        assertThat(definitions
                        .at("/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta/properties/creationTimestamp/description")
                        .asString())
                .startsWith("CreationTimestamp is a timestamp");
    }

    @Test
    void mistakesOfATypedObjectAreToldInTheOrderOfItsText() {
        String body = """
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},
                 "zeta":1,"data":{"a":"1","a":"2"},"alpha":2}
                """;
        ApiResponse response = cluster.send(
                "POST",
                "/api/v1/namespaces/default/configmaps?fieldValidation=Strict",
                body,
                Map.of("content-type", "application/json"));
        assertThat(response.status()).isEqualTo(400);
        assertThat(InMemory.text(response))
                .contains("strict decoding error: unknown field \\\"zeta\\\", duplicate field \\\"data.a\\\", unknown"
                        + " field \\\"alpha\\\"");
    }

    @Test
    void reviewsAreNoTables() {
        ApiResponse response = cluster.send(
                "POST",
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                "{\"spec\":{\"nonResourceAttributes\":{\"verb\":\"get\",\"path\":\"/\"}}}",
                Map.of("accept", "application/json;as=Table;v=v1;g=meta.k8s.io"));
        assertThat(response.status()).isEqualTo(406);
    }
}
