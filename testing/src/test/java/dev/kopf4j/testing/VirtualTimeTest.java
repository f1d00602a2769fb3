package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.EventType;
import dev.kopf4j.Memo;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OnTimer;
import dev.kopf4j.TemporaryException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("N02")
@KopfTest(value = VirtualTimeTest.Slow.class, time = TestTime.VIRTUAL)
class VirtualTimeTest {
    static class Slow {
        @OnCreate("configmaps")
        void begin(int retry, String name, KubernetesClient client) {
            if (retry < 2) {
                throw new TemporaryException("not yet", Duration.ofHours(1));
            }
            client.configMaps()
                    .withName(name)
                    .edit(map ->
                            new ConfigMapBuilder(map).addToData("ready", "yes").build());
        }

        @OnTimer(value = "configmaps", interval = "1h")
        void tick() {}

        @OnStartup
        void started(InstantSource clock, Memo memo) {
            memo.put("started", clock.instant());
        }

        @OnEvent("configmaps")
        void tell(InstantSource clock, Memo memo) {
            System.out.println("up for " + Duration.between(memo.require("started", Instant.class), clock.instant()));
        }
    }

    @Test
    void advancesADayInMilliseconds(TestClock clock, TestedOperator operator, KubernetesClient client) {
        ConfigMap created = client.resource(KopfTestTest.configMap("x")).create();
        clock.advance(Duration.ofMinutes(59));
        assertThat(operator.calls("begin")).hasSize(1);
        clock.advance(Duration.ofMinutes(2));
        assertThat(operator.calls("begin")).hasSize(2);
        clock.advance(Duration.ofDays(1));
        assertThat(operator.calls("begin")).hasSize(3);
        assertThat(operator.calls("tick")).hasSize(26);
        assertThat(client.resource(created).get().getData()).containsEntry("ready", "yes");
    }

    @Test
    void handlersTellTheTimeOfTheTest(TestClock clock, TestedOperator operator, KubernetesClient client) {
        clock.advance(Duration.ofDays(2).minusSeconds(1));
        client.resource(KopfTestTest.configMap("x")).create();
        operator.awaitIdle();
        assertThat(operator.output()).contains("up for PT47H59M59");
    }

    @Test
    void waitsByLettingTimePass(TestedOperator operator, KubernetesClient client) {
        client.resource(KopfTestTest.configMap("x")).create();
        operator.awaitIdle();
        assertThat(operator.calls("begin")).hasSize(1);
        operator.awaitCalls("begin", 2);
        operator.kill();
        operator.restart();
        operator.awaitCalls("begin", 3);
    }

    static class Listener {
        @OnEvent("configmaps")
        void hear(EventType event) {
            System.out.println("heard " + event);
        }
    }

    @Test
    @KopfTest(value = Listener.class, time = TestTime.VIRTUAL)
    @DevClusterOptions(faults = "WATCH **/configmaps delays 5s")
    void waitsUntilTheDeletionOfAModelWithoutUidWasSeen(TestedOperator operator, KubernetesClient client) {
        ConfigMap model = KopfTestTest.configMap("x");
        client.resource(model).create();
        operator.awaitHandled(model);
        client.resource(model).delete();
        operator.awaitHandled(model);
        assertThat(operator.output()).contains("heard DELETED");
    }

    @Test
    @KopfTest(value = Slow.class, time = TestTime.VIRTUAL, timeout = "3h")
    @DevClusterOptions(faults = "x2 PATCH ** 409")
    void conflictsOnDemandDoNotFailTheTest(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(client.resource(KopfTestTest.configMap("x")).create());
        assertThat(operator.logs()).anyMatch(line -> line.message().contains("K4-020"));
    }
}
