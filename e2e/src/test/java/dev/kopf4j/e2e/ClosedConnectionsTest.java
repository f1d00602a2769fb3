package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Connections that the dev cluster ends itself. */
class ClosedConnectionsTest {
    private static final byte[] REQUEST = "GET /healthz HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.kopf4j.devcluster.http");
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final List<Socket> clients = new ArrayList<>();

    @BeforeEach
    void listen() {
        appender.start();
        logger.setLevel(Level.DEBUG);
        logger.addAppender(appender);
    }

    @AfterEach
    void leave() throws IOException {
        logger.detachAppender(appender);
        logger.setLevel(null);
        for (Socket client : clients) {
            client.close();
        }
    }

    @Test
    void areNotToldAsClientsThatWentAway() throws Exception {
        try (DevCluster cluster = DevCluster.start(Options.defaults())) {
            for (int number = 0; number < 20; number++) {
                Socket client = new Socket(
                        InetAddress.getLoopbackAddress(),
                        URI.create(cluster.url()).getPort());
                clients.add(client);
                client.getOutputStream().write(REQUEST);
                assertThat(client.getInputStream().read()).isEqualTo('H');
            }
        }
        assertThat(appender.list).isEmpty();
    }
}
