package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.PermanentException;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.engine.ClusterAccess.PlannedClusterAccess;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /** Applications start an operator again when its cluster was the wrong one. */
    @Test
    @Tag("G14")
    void eachRunBeginsWithTheContextThatIsTheCurrentOneThen(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("config");
        OperatorPlan plan = OperatorPlan.of(Operator.builder().kubeconfig(file).onLogin("login", context -> {
            logins.add(context.logins().kubeconfig().orElseThrow());
            throw new PermanentException("not there");
        }));
        Operator operator =
                OperatorAssembly.assemble(plan, new OperatorEnvironment(platform, ClusterAccess.of(plan, platform)));
        for (String context : List.of("a", "b")) {
            choose(context, file);
            operator.start();
            platform.runFor(Duration.ofSeconds(5));
        }
        assertThat(logins).extracting(ConnectionInfo::server).containsExactly("https://a", "https://b");
    }

    /** As at {@code kopf4j run --reload}. */
    @Test
    @Tag("G14")
    void operatorsThatTakeEachOthersPlaceKeepTheContextUnlessOneHasFailed(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("config");
        SuccessiveMemos successive = new SuccessiveMemos();
        choose("a", file);
        assertThat(serverOfNext(successive, file)).isEqualTo("https://a");
        choose("b", file);
        assertThat(serverOfNext(successive, file)).isEqualTo("https://a");
        successive.forgetContext();
        assertThat(serverOfNext(successive, file)).isEqualTo("https://b");
    }

    private String serverOfNext(SuccessiveMemos successive, Path file) throws InterruptedException {
        OperatorBuilder builder = Operator.builder().kubeconfig(file);
        successive.giveTo(builder);
        return ClusterAccess.of(OperatorPlan.of(builder), platform)
                .ofRun()
                .info(NetworkSettings.DEFAULTS)
                .server();
    }

    private static void choose(String context, Path file) throws IOException {
        Files.writeString(file, """
                current-context: CURRENT
                contexts: [{name: a, context: {cluster: a}}, {name: b, context: {cluster: b}}]
                clusters: [{name: a, cluster: {server: 'https://a'}}, {name: b, cluster: {server: 'https://b'}}]
                """.replace("CURRENT", context));
    }
}
