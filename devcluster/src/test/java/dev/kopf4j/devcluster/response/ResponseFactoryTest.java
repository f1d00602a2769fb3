package dev.kopf4j.devcluster.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link ResponseFactory}. */
class ResponseFactoryTest {
    /** See {@code NewWarningHeader} of the API machinery. */
    @Test
    void warningsWithControlCharactersAreLeftOut() {
        ApiResponse response = ResponseFactory.warned(
                ResponseFactory.text(200, "ok"), List.of("one", "two\nlines", "a\ttab", "\u0085", "", "a \"quote\""));
        assertThat(response.headers())
                .extracting(ApiResponse.Header::value)
                .containsExactly("299 - \"one\"", "299 - \"a \\\"quote\\\"\"");
    }
}
