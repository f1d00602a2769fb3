package dev.kopf4j.client.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.client.error.ApiException.RedactedErrorBody;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
