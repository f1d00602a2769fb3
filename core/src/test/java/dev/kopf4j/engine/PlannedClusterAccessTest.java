package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.engine.ClusterAccess.PlannedClusterAccess;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlannedClusterAccessTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final List<ConnectionInfo> logins = new ArrayList<>();

    private ConnectionInfo logIn() {
        logins.add(ConnectionInfo.builder("http://127.0.0.1:1")
                .token("token " + logins.size())
                .build());
        return logins.getLast();
    }

    private ClusterAccess access() {
        return new PlannedClusterAccess(OperatorPlan.of(Operator.builder()), platform)
                .with(() -> Map.of("own", logIn()));
    }

    @Test
    void clientsOfHandlersUseTheLoginOfTheOperator() throws InterruptedException {
        ClusterAccess access = access();
        try (ConnectionProvider operator =
                access.connect(platform, NetworkSettings.of(new OperatorSettings().networking()))) {
            operator.current();

            assertThat(access.info(NetworkSettings.DEFAULTS)).isEqualTo(logins.getFirst());
            assertThat(access.info(NetworkSettings.DEFAULTS)).isEqualTo(logins.getFirst());
        }
        assertThat(logins).hasSize(1);
    }

    @Test
    void aStartUpHandlersClientLogsInForTheOperatorToo() throws InterruptedException {
        ClusterAccess access = access();
        assertThat(access.info(NetworkSettings.DEFAULTS)).isEqualTo(logins.getFirst());

        try (ConnectionProvider operator =
                access.connect(platform, NetworkSettings.of(new OperatorSettings().networking()))) {
            operator.current();
            assertThat(access.info(NetworkSettings.DEFAULTS)).isEqualTo(logins.getFirst());
        }
        assertThat(logins).hasSize(1);
    }
}
