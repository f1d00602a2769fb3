package dev.kopf4j.e2e.guarantees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Logins;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnLogin;
import dev.kopf4j.testing.DevClusterOptions;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What no object has caused counts against no object. */
class OutageTest {
    private static final int OBJECTS = 20;

    /** Its session ends soon, and the next logins give what the server refuses, until somebody renews that. */
    static class Expiring {
        static final AtomicInteger LOGINS = new AtomicInteger();
        static volatile Instant expiration = Instant.MAX;
        static volatile boolean renewed;

        @OnLogin
        ConnectionInfo login(Logins logins) throws InterruptedException {
            ConnectionInfo valid = logins.kubeconfig().orElseThrow();
            if (LOGINS.getAndIncrement() == 0) {
                expiration = Instant.now().plusSeconds(3);
                return valid.toBuilder().expiration(expiration).build();
            }
            return renewed
                    ? valid
                    : valid.toBuilder()
                            .token("of a session that has ended, " + LOGINS)
                            .certificateData(null)
                            .certificatePath(null)
                            .privateKeyData(null)
                            .privateKeyPath(null)
                            .build();
        }

        @OnCreate(value = "configmaps", labels = "outage=yes")
        void created() {}
    }

    @Test
    @DevClusterOptions(rbac = true)
    @KopfTest(value = Expiring.class, timeout = "1m")
    void objectsAreHandledSoonAfterCredentialsAreRenewed(TestedOperator operator, KubernetesClient client) {
        await().atMost(Duration.ofMinutes(1)).until(() -> Instant.now().isAfter(Expiring.expiration));
        for (int number = 0; number < OBJECTS; number++) {
            client.resource(object(number)).create();
        }
        await().atMost(Duration.ofMinutes(2)).until(() -> Expiring.LOGINS.get() >= 6);
        assertThat(client.configMaps().withLabel("outage").list().getItems()).noneMatch(OutageTest::isHandled);
        Expiring.renewed = true;
        await().atMost(Duration.ofSeconds(40))
                .until(() -> client.configMaps().withLabel("outage").list().getItems().stream()
                        .allMatch(OutageTest::isHandled));
        assertThat(operator.calls("created")).as("calls of handlers").hasSize(OBJECTS);
    }

    private static ConfigMap object(int number) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("x" + number)
                .addToLabels("outage", "yes")
                .endMetadata()
                .build();
    }

    private static boolean isHandled(ConfigMap object) {
        return object.getMetadata().getAnnotations().containsKey("kopf.zalando.org/last-handled-configuration");
    }
}
