package dev.kopf4j.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResponseBytesTest {
    @Test
    void headersOfOneNameReachTheClientAll() {
        ApiResponse response = ApiResponse.whole(200, "application/json", new byte[0])
                .with(new ApiResponse.Header("Warning", "299 - \"one\""))
                .with(new ApiResponse.Header("Retry-After", "1"))
                .with(new ApiResponse.Header("Warning", "299 - \"two\""));
        assertThat(ResponseBytes.headers(response))
                .isEqualTo(Map.of(
                        "Content-Type",
                        List.of("application/json"),
                        "Warning",
                        List.of("299 - \"one\"", "299 - \"two\""),
                        "Retry-After",
                        List.of("1")));
    }
}
