package dev.kopf4j.devcluster.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.devcluster.conversion.WebhookConverter.ConversionReviews;
import dev.kopf4j.devcluster.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reviews for conversion webhooks, and their answers. */
class ConversionReviewsTest {
    private static final ObjectNode BOX = (ObjectNode) Json.parse("""
            {"apiVersion":"kopf.dev/v1","kind":"Box","metadata":{"name":"a"}}
            """);

    private static ObjectNode review(String accepted) throws ConversionFailed {
        return ConversionReviews.request(Json.parse(accepted), BOX, "kopf.dev/v2", "u");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ["v1"]            | apiextensions.k8s.io/v1
            ["v1beta1","v1"]  | apiextensions.k8s.io/v1beta1
            ["v2","v1"]       | apiextensions.k8s.io/v1
            """)
    void theFirstKnownVersionIsTaken(String accepted, String version) throws ConversionFailed {
        assertThat(Json.string(review(accepted), "apiVersion")).isEqualTo(version);
    }

    @Test
    void aWebhookThatKnowsNoVersionIsNotAsked() {
        assertThatExceptionOfType(ConversionFailed.class)
                .isThrownBy(() -> review("[\"v2\"]"))
                .withMessage("no supported conversion review versions");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"response":{"uid":"u","result":{"status":"Success"}}}    | expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=
            {"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"} | no response provided
            {"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"x"}} | expected response.uid="u", got "x"
            {"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"u"}} | response.result.status was '', not 'Success'
            """)
    void anAnswerHasToBeOneToTheReview(String answer, String problem) throws ConversionFailed {
        ObjectNode review = review("[\"v1\"]");
        assertThatExceptionOfType(ConversionFailed.class)
                .isThrownBy(() -> ConversionReviews.convertedObjects(review, Json.parse(answer)))
                .withMessage(problem);
    }

    @Test
    void anAnswerOfTheOldVersionNeedNotNameItsReview() throws ConversionFailed {
        JsonNode answer = Json.parse("{\"response\":{\"result\":{\"status\":\"Success\"},\"convertedObjects\":[{}]}}");
        assertThat(ConversionReviews.convertedObjects(review("[\"v1beta1\"]"), answer))
                .hasSize(1);
    }
}
