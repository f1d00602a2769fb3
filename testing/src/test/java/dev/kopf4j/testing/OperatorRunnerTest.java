package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("L49")
class OperatorRunnerTest {
    private static final String CONFIG_MAP = """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: %s
              namespace: default
            """;

    @Test
    void handlesObjectsThatAreThereAndThoseThatCome() throws InterruptedException {
        BlockingQueue<String> handled = new LinkedBlockingQueue<>();
        try (OperatorRunner runner = OperatorRunner.start(
                CONFIG_MAP.formatted("early"),
                operator -> operator.clusterwide()
                        .onCreate("configmaps", "create", context -> handled.add(context.name())))) {
            assertThat(handled.poll(20, TimeUnit.SECONDS)).isEqualTo("early");
            runner.cluster().apply(CONFIG_MAP.formatted("late"));
            assertThat(handled.poll(20, TimeUnit.SECONDS)).isEqualTo("late");
            assertThat(runner.connection().server()).isEqualTo(runner.cluster().url());
        }
    }

    @Test
    void leavesTheClusterWhenTheOperatorStops() throws InterruptedException {
        try (OperatorRunner runner = OperatorRunner.start(
                CONFIG_MAP.formatted("object"), operator -> operator.onEvent("configmaps", "look", context -> null))) {
            runner.operator().stop();
            runner.operator().join();
            ApiResponse answer = runner.cluster()
                    .handle(ApiRequest.of(
                            "GET", "/api/v1/namespaces/default/configmaps/object", Map.of(), new byte[0]));
            assertThat(answer.status()).isEqualTo(200);
        }
    }

    @Test
    void refusesWhatIsNoOperator() {
        assertThatThrownBy(() -> OperatorRunner.start("", operator -> operator))
                .isInstanceOf(HandlerDeclarationException.class);
    }
}
