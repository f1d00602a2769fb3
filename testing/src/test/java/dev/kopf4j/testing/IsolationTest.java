package dev.kopf4j.testing;

import static dev.kopf4j.testing.KopfTestTest.configMap;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.kopf4j.OnCreate;
import dev.kopf4j.runtime.Platform;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Each test has a cluster, logs and prints of its own, also among others at the same time. */
@Tag("N01")
class IsolationTest {
    static class Speaker {
        @OnCreate("configmaps")
        void speak(String uid) {
            System.out.println("I handle " + uid);
        }
    }

    @Disabled("run by the test below")
    @KopfTest(Speaker.class)
    static class Inner {
        @Test
        void hearsItselfOnly(TestedOperator operator, KubernetesClient client) {
            var created = client.resource(configMap("x")).create();
            operator.awaitHandled(created);
            assertThat(operator.output().lines().filter(line -> line.startsWith("I handle")))
                    .containsExactly("I handle " + created.getMetadata().getUid());
            assertThat(operator.calls()).hasSize(1);
        }
    }

    @Test
    void parallelTestsDoNotDisturbEachOther() throws Exception {
        List<Callable<String>> tests = IntStream.range(0, 8)
                .<Callable<String>>mapToObj(each -> () -> FailingTests.report(Inner.class))
                .toList();
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (var report : threads.invokeAll(tests)) {
                assertThat(report.get()).isEmpty();
            }
        }
    }

    @Test
    @KopfTest(value = Speaker.class, time = TestTime.VIRTUAL)
    @DevClusterOptions(faults = "x2 PATCH ** 503")
    void theClusterHasTheFaultsOfTheAnnotation(TestedOperator operator, KubernetesClient client) {
        client.configMaps().resource(configMap("x")).create();
        operator.awaitCalls("speak", 1);
        operator.awaitIdle();
        assertThat(operator.requests())
                .filteredOn(request -> request.byOperator() && request.status() == 503)
                .isNotEmpty();
    }

    /** Neither the waits nor the test's own requests fail for a fault that a handler's client would outlive. */
    @Test
    @KopfTest(Speaker.class)
    @DevClusterOptions(faults = {"x1 GET **/configmaps/x 503", "x1 POST **/configmaps 503"})
    void theTestItselfOutlivesFaults(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(client.resource(configMap("x")).create());
        assertThat(operator.requests())
                .filteredOn(request -> !request.byOperator() && request.status() == 503)
                .hasSize(2);
    }

    static class Careless {
        @OnCreate("configmaps")
        void create() {
            LoggerFactory.getLogger("kopf4j.reactor").error(Platform.UNEXPECTED, "This is a defect of the framework");
        }
    }

    @Disabled("run by the test below")
    @KopfTest(value = Careless.class, time = TestTime.VIRTUAL)
    static class Logging {
        @Test
        void logsAnErrorOfTheFramework(TestedOperator operator, KubernetesClient client) {
            operator.awaitHandled(client.resource(configMap("x")).create());
            assertThat(operator.logs()).isNotEmpty();
        }
    }

    /** As Spring Boot resets Logback before it configures it. */
    @Test
    void logsAreHeardAfterLogbackWasReset() throws JoranException {
        LoggerContext logback = (LoggerContext) LoggerFactory.getILoggerFactory();
        try {
            logback.stop();
            logback.reset();
            assertThat(FailingTests.report(Logging.class)).contains("the framework has logged unexpected errors:");
            List<TurboFilter> filters = List.copyOf(logback.getTurboFilterList());
            assertThat(FailingTests.report(Logging.class)).contains("the framework has logged unexpected errors:");
            assertThat(logback.getTurboFilterList()).isEqualTo(filters).hasSize(1);
        } finally {
            logback.reset();
            new ContextInitializer(logback).autoConfig();
            logback.start();
        }
    }
}
