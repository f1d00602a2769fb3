package dev.kopf4j.devcluster.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches whose answer does not even begin end in the store, too. */
@Timeout(60)
class AbandonedWatchTest {
    private static final String WEB_SOCKET = "Connection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    private final CompletableFuture<Void> asked = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private final class Watched implements WatchStream {
        @Override
        public void onSignal(Runnable signal) {}

        @Override
        public Optional<byte[]> take() {
            return Optional.empty();
        }

        @Override
        public boolean ended() {
            return false;
        }

        @Override
        public void close() {
            closed.complete(null);
        }
    }

    private HttpFrontend frontend(Duration delay) {
        HttpFrontend frontend = HttpFrontend.bind(InetAddress.getLoopbackAddress(), 0, Optional.empty(), line -> {});
        frontend.start(request -> {
            asked.complete(null);
            return new ApiResponse(200, "application/json", List.of(), new ApiResponse.Events(new Watched()), delay);
        });
        return frontend;
    }

    private static Socket ask(HttpFrontend frontend, String headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), frontend.port());
        socket.getOutputStream()
                .write(("GET /?watch=1 HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    @Test
    void theServerEndsWhileTheAnswerIsDelayed() throws Exception {
        HttpFrontend frontend = frontend(Duration.ofHours(1));
        try (Socket socket = ask(frontend, "")) {
            asked.get(10, TimeUnit.SECONDS);
            frontend.close();
            closed.get(10, TimeUnit.SECONDS);
            assertThat(socket.getInputStream().read()).isNegative();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", WEB_SOCKET})
    void theClientResetsTheConnectionBeforeTheHead(String headers) throws Exception {
        try (HttpFrontend frontend = frontend(Duration.ofMillis(300))) {
            Socket socket = ask(frontend, headers);
            asked.get(10, TimeUnit.SECONDS);
            socket.setSoLinger(true, 0);
            socket.close();
            closed.get(10, TimeUnit.SECONDS);
        }
    }
}
