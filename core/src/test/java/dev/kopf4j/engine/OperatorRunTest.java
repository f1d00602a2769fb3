package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Logins;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.CredentialSource;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.engine.OperatorRun.IntegrationServices;
import dev.kopf4j.engine.OperatorRun.ToldEngine;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.spi.CredentialRenewal;
import dev.kopf4j.spi.Integration;
import dev.kopf4j.spi.WriteListener;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Tests {@link ToldEngine}: what the console asks; and {@link IntegrationServices}: the clients of handlers. */
class OperatorRunTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));

    @Test
    @SuppressWarnings("NullAway") // nothing else of the operator is asked
    void aServerThatDoesNotAnswerIsToldWhileThePageStillWaits() {
        ScriptedTransport frozen = new ScriptedTransport(platform)
                .silentAt("/apis/coordination.k8s.io/v1/namespaces/ns/leases?limit=1&fieldSelector=metadata.name%3Dx");
        KubernetesApi api = new KubernetesApi(platform, frozen, NetworkSettings.DEFAULTS);
        List<String> told = new ArrayList<>();
        platform.spawn("reading", () -> {
            try {
                new ToldEngine(null, api, null).read(WellKnownResources.LEASES, "ns", "x");
            } catch (ClientException e) {
                told.add(e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        platform.runFor(Duration.ofSeconds(6));
        assertThat(told).singleElement().asString().contains("leases.v1.coordination.k8s.io", "no answer in time");
    }

    private final List<Object> closedClients = new ArrayList<>();
    private final IntegrationServices services =
            new IntegrationServices(platform, new SlowLogin(), () -> NetworkSettings.DEFAULTS, _ -> library());

    private interface Client extends AutoCloseable {
        @Override
        void close();
    }

    /** Takes ten seconds. */
    private final class SlowLogin implements ClusterAccess {
        @Override
        public AutoCloseable open(
                Integration integration,
                Class<?> type,
                NetworkSettings settings,
                CredentialRenewal renewal,
                WriteListener listener)
                throws InterruptedException {
            platform.sleep(Duration.ofSeconds(10));
            return (Client) () -> {};
        }

        @Override
        public ConnectionProvider connect(Platform machine, NetworkSettings settings) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ConnectionInfo info(NetworkSettings settings) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Logins logins() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ClusterAccess with(CredentialSource source) {
            return this;
        }
    }

    private Integration library() {
        return (Integration) Proxy.newProxyInstance(
                Integration.class.getClassLoader(), new Class<?>[] {Integration.class}, (_, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("close");
                    closedClients.add(arguments[0]);
                    return null;
                });
    }

    private Task asking(String name, List<Object> answers) {
        return platform.spawn(name, () -> {
            try {
                answers.add(services.get(Client.class));
            } catch (IllegalStateException e) {
                answers.add(String.valueOf(e.getMessage()));
            }
        });
    }

    @Test
    @Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
    void aHandlerThatWaitsForTheLoginOfAnotherOneMayBeInterrupted() {
        List<Object> first = new ArrayList<>();
        List<Object> second = new ArrayList<>();
        List<Object> third = new ArrayList<>();
        asking("first", first);
        Task waiting = asking("second", second);
        asking("third", third);
        platform.runFor(Duration.ofSeconds(1));
        waiting.interrupt();
        platform.runFor(Duration.ofSeconds(1));
        assertThat(second).containsExactly("interrupted while logging in for a Client");
        platform.runFor(Duration.ofSeconds(10));
        assertThat(first).hasSize(1).isEqualTo(third);
        services.close();
        assertThat(closedClients).isEqualTo(first);
    }

    @Test
    @Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
    void aClientThatIsMadeAfterTheEndOfTheOperatorIsClosed() {
        List<Object> answers = new ArrayList<>();
        asking("first", answers);
        platform.runFor(Duration.ofSeconds(1));
        services.close();
        platform.runFor(Duration.ofSeconds(10));
        assertThat(answers).singleElement().asString().contains("the operator has ended: there is no Client");
        assertThat(closedClients).hasSize(1);
    }
}
