package dev.kopf4j.client.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.client.error.ApiException.RedactedErrorBody;
import dev.kopf4j.json.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What is said of servers that cannot be reached, or are none. */
class FailureMessagesTest {
    private static String message(IOException cause) {
        return String.valueOf(new ConnectionFailedException("list of pods", "http://there", cause).getMessage());
    }

    private static IOException connecting(Throwable reason) {
        IOException outer = new ConnectException();
        outer.initCause(reason);
        return outer;
    }

    @Test
    void anUnknownHostIsTold() {
        assertThat(message(connecting(new UnresolvedAddressException())))
                .contains("the name of the host is not known", "DNS");
        assertThat(message(connecting(new UnknownHostException("there"))))
                .contains("the name of the host is not known");
    }

    @Test
    void aRefusedConnectionIsSomethingElse() {
        assertThat(message(connecting(new ClosedChannelException())))
                .endsWith("failed: cannot connect: nobody listens there");
        assertThat(message(new ConnectException("Network is unreachable")))
                .endsWith("cannot connect: Network is unreachable");
    }

    @ParameterizedTest
    @CsvSource({
        "<html><head><TITLE> 404 Not Found </TITLE></head><body>nginx</body></html>, an HTML page '404 Not Found'",
        "<!DOCTYPE html><p>secret</p>, an HTML page",
    })
    void aPageForBrowsersIsNotPrinted(String page, String told) {
        RedactedErrorBody body = RedactedErrorBody.of(page.getBytes(StandardCharsets.UTF_8));

        assertThat(body.message())
                .isEqualTo(told + ", so that this is no Kubernetes API server, or something stands in between");
    }

    @Test
    void plainTextIsShown() {
        assertThat(RedactedErrorBody.of("no route".getBytes(StandardCharsets.UTF_8))
                        .message())
                .isEqualTo("no route");
    }

    static Stream<Arguments> quotingMessages() {
        String secret =
                "{\"apiVersion\":\"v1\",\"data\":{\"a\\\\\":\"\",\"password\":\"aHVudGVyMg==\",\"token\":\"not base64!\"},"
                        + "\"kind\":\"Secret\"}";
        String quoted = secret.replace("\\", "\\\\").replace("\"", "\\\"");
        String invalid = "The request is invalid: patch: Invalid value: \"";
        String reason =
                "\": Secret in version \"v1\" cannot be handled as a Secret: illegal base64 data at input byte 3";
        String untyped = "failed to create typed patch object (default/a; /v1, Kind=Secret): ";
        return Stream.of(
                Arguments.of(invalid + quoted + reason, invalid + "{...}" + reason),
                Arguments.of(invalid + quoted, invalid + "{...}"),
                Arguments.of(
                        untyped + ".data.pin: expected string, got &value.valueUnstructured{Value:12345678}",
                        untyped + ".data.pin: expected string, got something else"),
                Arguments.of(
                        untyped + "errors:\n  .data: expected map, got &{hunter2}\n  .type: expected string, got &{1}",
                        untyped + "errors:\n  .data: expected map, got something else"),
                Arguments.of(
                        untyped + ".stringData: expected map, got &{user: x\npassword: hunter2\n}",
                        untyped + ".stringData: expected map, got something else"));
    }

    /** It may be a Secret. */
    @ParameterizedTest
    @MethodSource("quotingMessages")
    void anObjectThatTheServerQuotesIsNotShownButTheReasonIs(String message, String told) {
        ObjectNode status = Json.object().put("kind", "Status").put("message", message);

        assertThat(RedactedErrorBody.of(Json.bytes(status)).message()).isEqualTo(told);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Website \"a\" is invalid: spec.patch: Invalid value: \"replace\": must be merge",
                "failed to create typed patch object (default/a; /v1, Kind=Pod): .x: expected string, got &{1}",
            })
    void whatElseTheServerSaysIsShown(String message) {
        ObjectNode status = Json.object().put("kind", "Status").put("message", message);

        assertThat(RedactedErrorBody.of(Json.bytes(status)).message()).isEqualTo(message);
    }
}
