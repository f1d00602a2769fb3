package dev.kopf4j.engine.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests servers and tunnels of users that are made of the framework's. */
class OwnServersTest {
    @Test
    @Tag("J20")
    @Tag("L39")
    void aTunnelLeadsToAServerOfTheFrameworks() throws Exception {
        AtomicReference<String> local = new AtomicReference<>("");
        CountDownLatch closed = new CountDownLatch(1);
        WebhookServer tunnel = context -> {
            try {
                context.serve(WebhookServer.local().insecure().address("127.0.0.1"), config -> {
                    local.set(ServerBench.url(config));
                    context.publish(WebhookClientConfig.url("https://first.example.com"));
                    context.publish(WebhookClientConfig.service("ns", "second", 443));
                });
            } finally {
                closed.countDown();
            }
        };
        try (ServerBench bench = new ServerBench(tunnel, ServerBench::echo)) {
            assertThat(bench.nextConfig()).isEqualTo(WebhookClientConfig.url("https://first.example.com"));
            assertThat(bench.nextConfig()).isEqualTo(WebhookClientConfig.service("ns", "second", 443));
            HttpClient client = ServerBench.client(null);
            assertThat(ServerBench.post(client, local.get() + "/fn", "x").body())
                    .isEqualTo("fn|x");
            assertThat(URI.create(local.get()).getHost()).isEqualTo("127.0.0.1");
            assertThat(closed.getCount()).isOne();
        }
        assertThat(closed.await(60, TimeUnit.SECONDS))
                .as("the tunnel is closed")
                .isTrue();
    }

    @Test
    @Tag("L39")
    void oneKindOfServerRunsWithinAnother() throws Exception {
        WebhookServer twice =
                outer -> outer.serve(context -> WebhookServer.local().insecure().serve(context), outer::publish);
        try (ServerBench bench = new ServerBench(twice, ServerBench::echo)) {
            assertThat(ServerBench.url(bench.nextConfig())).startsWith("http://localhost:");
        }
    }
}
