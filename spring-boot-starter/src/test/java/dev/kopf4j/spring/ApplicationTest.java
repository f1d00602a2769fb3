package dev.kopf4j.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnCleanup;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnProbe;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.PermanentException;
import dev.kopf4j.SettingException;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.micrometer.MicrometerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** A whole application, with its web server, and an operator on the dev cluster. */
class ApplicationTest {
    private static final String CONFIG_MAP = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: %s, namespace: default}
            """;

    @TempDir
    private Path folder;

    private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();
    private DevCluster cluster;
    private Path kubeconfig;

    @BeforeEach
    void startCluster() {
        cluster = DevCluster.start();
        kubeconfig = folder.resolve("kubeconfig");
        cluster.writeKubeconfig(kubeconfig);
    }

    @AfterEach
    void stopCluster() {
        cluster.close();
    }

    /** What other beans do for handlers. */
    static final class Greetings {
        final List<String> told = new CopyOnWriteArrayList<>();
    }

    /** Handlers that need another bean. */
    static final class GreetingHandlers {
        private final Greetings greetings;

        GreetingHandlers(Greetings greetings) {
            this.greetings = greetings;
        }

        @OnCreate("configmaps")
        void greet(String name) {
            greetings.told.add("hello " + name);
        }

        @OnCleanup
        void leave(OperatorSettings settings) {
            greetings.told.add("bye with " + settings.queueing().workerLimit() + " workers");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Greetings greetings() {
            return new Greetings();
        }

        @Bean
        GreetingHandlers handlers(Greetings greetings) {
            return new GreetingHandlers(greetings);
        }

        @Bean
        OperatorCustomizer lambdas(Greetings greetings) {
            return builder -> builder.onCreate("secrets", "lambda", context -> greetings.told.add("secret"));
        }
    }

    /** Handlers behind a proxy, which Spring makes as a subclass. */
    static class ProxiedHandlers {
        private final Greetings greetings;

        ProxiedHandlers(Greetings greetings) {
            this.greetings = greetings;
        }

        @Async
        @OnCreate("configmaps")
        void greet(String name) {
            greetings.told.add("hello " + name + " by " + Thread.currentThread().getName());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    static class Asynchronous {
        @Bean
        Greetings greetings() {
            return new Greetings();
        }

        @Bean
        ProxiedHandlers handlers(Greetings greetings) {
            return new ProxiedHandlers(greetings);
        }
    }

    /** Builds its operator by itself. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OwnOperator {
        @Bean
        Operator own(Environment environment) {
            return operator(environment);
        }

        static Operator operator(Environment environment) {
            return Operator.builder()
                    .namespaces("default")
                    .kubeconfig(Path.of(environment.getRequiredProperty("kopf4j.kubeconfig")))
                    .onCreate("configmaps", "lambda", context -> null)
                    .build();
        }
    }

    /** A child context of the application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Child {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class ChildWithHandlers {
        @Bean
        GreetingHandlers uncalled(Greetings greetings) {
            return new GreetingHandlers(greetings);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class ChildWithOperator {
        @Bean
        Operator second(Environment environment) {
            return OwnOperator.operator(environment);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(OwnOperator.class)
    static class TwoOperators {
        @Bean
        Operator second(Environment environment) {
            return OwnOperator.operator(environment);
        }
    }

    /** Its cleanup takes as long as the test wants. */
    static final class SlowCleanup {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch end = new CountDownLatch(1);

        @OnCleanup
        void leave() throws InterruptedException {
            begun.countDown();
            end.await();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Slow {
        @Bean
        SlowCleanup handlers() {
            return new SlowCleanup();
        }
    }

    /** Lets the start go on when the operator has failed. */
    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    static class FailingEarly {
        @Bean
        ApplicationListener<AvailabilityChangeEvent<LivenessState>> liveness(CountDownLatch broken) {
            return event -> {
                if (event.getState() == LivenessState.BROKEN) {
                    broken.countDown();
                }
            };
        }

        @Bean
        ApplicationListener<ApplicationStartedEvent> start(CountDownLatch broken) {
            return event -> assertThat(awaited(broken)).isTrue();
        }

        @Bean
        CountDownLatch broken() {
            return new CountDownLatch(1);
        }

        private static boolean awaited(CountDownLatch broken) {
            try {
                return broken.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    static class OwnMetrics {
        @Bean
        MicrometerMetrics metrics(MeterRegistry registry) {
            return new MicrometerMetrics(registry);
        }
    }

    private ConfigurableApplicationContext start(String... more) {
        return start(Application.class, more);
    }

    private ConfigurableApplicationContext start(Class<?> configuration, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--management.endpoints.web.exposure.include=health,metrics",
                "--management.endpoint.health.show-details=always",
                "--kopf4j.kubeconfig=" + kubeconfig,
                "--kopf4j.namespaces=default",
                "--kopf4j.queueing.worker-limit=7"));
        arguments.addAll(Arrays.asList(more));
        return SpringApplication.run(configuration, arguments.toArray(String[]::new));
    }

    private static String get(ConfigurableApplicationContext application, String path)
            throws IOException, InterruptedException {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        }
    }

    private static void awaitHealth(ConfigurableApplicationContext application, String status) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> get(application, "health").contains("\"kopf4j\":{\"details\":{")
                        && get(application, "health/kopf4j").contains("\"status\":\"" + status + "\""));
    }

    @Test
    @Tag("P11")
    void handlersAreBeansAndLiveAsLongAsTheApplication() throws Exception {
        Greetings greetings;
        try (var application = start()) {
            greetings = application.getBean(Greetings.class);
            awaitHealth(application, "UP");
            cluster.apply(CONFIG_MAP.formatted("world"));
            await().until(() -> greetings.told.contains("hello world"));
            cluster.apply(CONFIG_MAP.formatted("secret").replace("ConfigMap", "Secret"));
            await().until(() -> greetings.told.contains("secret"));
            assertThat(get(application, "metrics")).contains("\"kopf4j.");
            assertThat(get(application, "health/kopf4j")).contains("\"ready\":true", "configmaps");
            assertThat(get(application, "health/kopf4jWebhooks")).contains("\"status\":\"UP\"");
        }
        assertThat(greetings.told).last().isEqualTo("bye with 7 workers");
    }

    @Test
    @Tag("P11")
    void namespacesThatAPatternExcludesAreLeftAlone() throws Exception {
        List.of("team-a", "team-x")
                .forEach(name -> cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}"));
        try (var application = start("--kopf4j.namespaces=team-*,!team-x")) {
            awaitHealth(application, "UP");
            await().until(() -> get(application, "health/kopf4j").contains("team-a"));
            assertThat(get(application, "health/kopf4j")).doesNotContain("team-x", "kube-system");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--kopf4j.clusterwide=false", "--kopf4j.clusterwide=true", "--kopf4j.namespaces=default"})
    void warnsOfTheWholeClusterIfNobodyHasSaidWhere(String scope) {
        warnings.start();
        try (var _ = new SpringApplicationBuilder(Application.class)
                .initializers(_ -> ((Logger) LoggerFactory.getLogger("kopf4j.operator")).addAppender(warnings))
                .web(WebApplicationType.NONE)
                .run("--spring.main.banner-mode=off", "--kopf4j.kubeconfig=" + kubeconfig, scope)) {
            // Closing waits for the end of the operator, which has begun with the warning.
        }
        assertThat(warnings.list.stream()
                        .map(ILoggingEvent::getFormattedMessage)
                        .filter(line -> line.contains("kopf4j.clusterwide=true")))
                .hasSize(scope.endsWith("=false") ? 1 : 0);
    }

    @Test
    @Tag("P11")
    void theOperatorOfAParentContextIsStartedOnceOnly() {
        try (var parent = start("--spring.main.web-application-type=none");
                var child = child(parent, Child.class)) {
            assertThat(child.getBean(OperatorLifecycle.class)).isSameAs(parent.getBean(OperatorLifecycle.class));
            assertThat(child.getBeanNamesForType(HealthIndicator.class)).contains("kopf4jHealthIndicator");
        }
    }

    @Test
    @Tag("P11")
    void anOperatorThatAContextAddsToThatOfItsParentIsStartedToo() {
        try (var parent = start("--spring.main.web-application-type=none");
                var child = child(parent, ChildWithOperator.class)) {
            assertThat(child.getBean(OperatorLifecycle.class).isRunning()).isTrue();
            assertThat(child.getBean(OperatorLifecycle.class)).isNotSameAs(parent.getBean(OperatorLifecycle.class));
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Child.class, ChildWithHandlers.class, ChildWithOperator.class})
    void handlersOfAContextWhoseParentHasTheOperatorAreToldToBeUncalled(Class<?> configuration) {
        warnings.start();
        try (var parent = start("--spring.main.web-application-type=none");
                var _ = child(parent, configuration)) {
            assertThat(warnings.list.stream()
                            .filter(event -> event.getLevel() == Level.WARN)
                            .map(ILoggingEvent::getFormattedMessage)
                            .filter(line ->
                                    line.startsWith("The handlers of the beans [uncalled] are called by nobody")))
                    .hasSize(configuration == ChildWithHandlers.class ? 1 : 0);
        }
    }

    private ConfigurableApplicationContext child(ConfigurableApplicationContext parent, Class<?> configuration) {
        return new SpringApplicationBuilder(configuration)
                .parent(parent)
                // Not earlier: Spring Boot configures the logs anew.
                .initializers(_ -> ((Logger) LoggerFactory.getLogger("kopf4j.operator")).addAppender(warnings))
                .web(WebApplicationType.NONE)
                .run("--spring.main.banner-mode=off", "--kopf4j.kubeconfig=" + kubeconfig);
    }

    @Test
    @Tag("P12")
    void anOperatorThatCannotStartMakesTheApplicationUnhealthy() {
        cluster.close();
        try (var application = start()) {
            awaitHealth(application, "DOWN");
            assertThat(application.isRunning()).isTrue();
        }
    }

    @Test
    @Tag("P12")
    void anOperatorThatFailsBeforeTheApplicationHasStartedBreaksItsLiveness() {
        cluster.close();
        try (var application = start(FailingEarly.class)) {
            assertThat(application.getBean(ApplicationAvailability.class).getLivenessState())
                    .isEqualTo(LivenessState.BROKEN);
        }
    }

    @Test
    void metricsOfOnesOwnReplaceThoseOfTheStarter() {
        try (var application = start(OwnMetrics.class)) {
            assertThat(application.getBeanNamesForType(MicrometerMetrics.class)).containsExactly("metrics");
        }
    }

    @Test
    @Tag("P11")
    void whatIsNoSettingIsRefused() {
        assertThatThrownBy(() -> start("--kopf4j.queueing.worker-limits=7"))
                .hasRootCauseInstanceOf(SettingException.class)
                .rootCause()
                .hasMessageContaining("queueing.workerLimit");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Mistaken {
        /** There is no such parameter. */
        static class Handlers {
            @OnCreate("configmaps")
            void greet(Thread nobody) {}
        }

        @Bean
        Handlers handlers() {
            return new Handlers();
        }
    }

    /** Spring Boot writes a stack trace of some pages only for what nobody has analyzed. */
    @ParameterizedTest
    @Tag("P11")
    @CsvSource({
        "--kopf4j.queueing.worker-limits=7, queueing.worker-limits, Correct the properties below 'kopf4j'",
        "--kopf4j.queueing.worker-limit=7, 'greet', Correct the handlers"
    })
    void mistakesEndTheStartInTheirOwnWords(String argument, String named, String action) {
        warnings.start();
        Class<?> configuration = action.endsWith("handlers") ? Mistaken.class : Application.class;
        assertThatThrownBy(() -> new SpringApplicationBuilder(configuration)
                        .initializers(_ ->
                                ((Logger) LoggerFactory.getLogger("org.springframework.boot")).addAppender(warnings))
                        .web(WebApplicationType.NONE)
                        .run("--spring.main.banner-mode=off", "--kopf4j.kubeconfig=" + kubeconfig, argument))
                .hasRootCauseInstanceOf(
                        action.endsWith("handlers") ? HandlerDeclarationException.class : SettingException.class);
        assertThat(warnings.list)
                .filteredOn(event -> event.getLevel() == Level.ERROR)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage())
                        .contains("APPLICATION FAILED TO START", "The operator cannot be made: ", named, action))
                .satisfies(event -> assertThat(event.getThrowableProxy()).isNull());
    }

    @Test
    @Tag("P11")
    void handlersOfProxiedBeansAreCalledThroughTheProxy() {
        try (var application = start(Asynchronous.class, "--spring.main.web-application-type=none")) {
            Greetings greetings = application.getBean(Greetings.class);
            cluster.apply(CONFIG_MAP.formatted("world"));
            await().until(() -> greetings.told.stream().anyMatch(each -> each.startsWith("hello world by task-")));
        }
    }

    @Test
    @Tag("P11")
    void anApplicationWithoutAWebServerLivesAsLongAsItsOperator() {
        try (var _ = start("--spring.main.web-application-type=none")) {
            assertThat(keepers()).hasSize(1);
        }
        await().until(() -> keepers().isEmpty());
    }

    /** A probe that fails when the test wants it to. */
    static final class Probed {
        volatile boolean failing;

        @OnProbe
        String database() {
            if (failing) {
                throw new IllegalStateException("no route");
            }
            return "reachable";
        }

        @OnProbe
        Optional<String> nothing() {
            return Optional.empty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    static class WithProbes {
        @Bean
        Probed probed() {
            return new Probed();
        }
    }

    @ParameterizedTest
    @Tag("K04")
    @ValueSource(booleans = {false, true})
    void probesArePartOfHealth(boolean failing) throws Exception {
        try (var application = start(
                WithProbes.class,
                "--management.endpoint.health.group.liveness.include=livenessState,kopf4jProbes",
                "--management.endpoint.health.probes.enabled=true")) {
            application.getBean(Probed.class).failing = failing;
            awaitHealth(application, "UP");
            assertThat(get(application, "health/kopf4jProbes"))
                    .contains(failing ? "'database': no route" : "\"database\":\"reachable\"");
            assertThat(get(application, "health/liveness"))
                    .contains("\"status\":\"" + (failing ? "DOWN" : "UP") + "\"");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "kopf4jHealthIndicator, --management.health.kopf4j.enabled=false",
        "kopf4jWebhooksHealthIndicator, --management.health.kopf4jwebhooks.enabled=false",
        "kopf4jProbesHealthIndicator, --management.health.kopf4j-probes.enabled=false",
        "kopf4jProbesHealthIndicator, --management.health.kopf4jProbes.enabled=false --kopf4j.enabled=false"
    })
    void partsOfHealthCanBeSwitchedOff(String bean, String arguments) {
        try (var application = start(("--spring.main.web-application-type=none " + arguments).split(" "))) {
            List<String> parts =
                    List.of("kopf4jHealthIndicator", "kopf4jWebhooksHealthIndicator", "kopf4jProbesHealthIndicator");
            assertThat(application.getBeanNamesForType(HealthIndicator.class))
                    .contains(parts.stream().filter(part -> !part.equals(bean)).toArray(String[]::new))
                    .doesNotContain(bean);
        }
    }

    /** Nobody could be asked: that all is well would be a guess. */
    @Test
    void probesOfAnOperatorThatHasEndedAreUnknown() throws Exception {
        try (var application = start(WithProbes.class)) {
            awaitHealth(application, "UP");
            application.getBean(OperatorLifecycle.class).stop();
            await().until(() -> get(application, "health/kopf4jProbes").contains("\"status\":\"UNKNOWN\""));
        }
    }

    /** Remembers what the process would have ended with. */
    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    static class Ending {
        static final BlockingQueue<Integer> CODES = new LinkedBlockingQueue<>();

        @Bean
        OperatorLifecycle.ApplicationExit exit(ApplicationContext application) {
            return () -> CODES.add(SpringApplication.exit(application));
        }
    }

    @Test
    @Tag("P12")
    void anApplicationWithoutAWebServerFailsWithItsOperator() throws Exception {
        cluster.close();
        try (var application = start(Ending.class, "--spring.main.web-application-type=none")) {
            assertThat(Ending.CODES.poll(20, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(application.isActive()).isFalse();
        }
        await().until(() -> keepers().isEmpty());
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Ending.class)
    static class FailingCleanup {
        /** Fails when the operator ends. */
        static class Handlers {
            @OnCleanup
            void fail() {
                throw new PermanentException("no route");
            }
        }

        @Bean
        Handlers failing() {
            return new Handlers();
        }
    }

    /** Whoever has closed it goes on, such as the tests after this one. */
    @Test
    @Tag("P12")
    void anOperatorThatFailsAsItsApplicationIsClosedEndsNothingElse() {
        OperatorLifecycle lifecycle;
        try (var application = start(FailingCleanup.class, "--spring.main.web-application-type=none")) {
            lifecycle = application.getBean(OperatorLifecycle.class);
        }
        await().until(() -> keepers().isEmpty());
        assertThat(lifecycle.getExitCode()).isEqualTo(1);
        assertThat(Ending.CODES).isEmpty();
    }

    @ParameterizedTest
    @Tag("P12")
    @CsvSource({
        "true, --spring.main.web-application-type=none",
        "false, --spring.main.web-application-type=none --kopf4j.exit-on-failure=false",
        "false, --spring.main.web-application-type=servlet"
    })
    void onlyWithoutAWebServerAnApplicationEndsWithItsOperator(boolean ends, String arguments) {
        try (var application = start(arguments.split(" "))) {
            assertThat(application
                                    .getBeanProvider(OperatorLifecycle.ApplicationExit.class)
                                    .getIfAvailable()
                            != null)
                    .isEqualTo(ends);
            assertThat(SpringApplication.exit(application)).isZero();
        }
    }

    /** Threads of the starter that keep the program alive. */
    private static List<Thread> keepers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("kopf4j operator") && !thread.isDaemon())
                .toList();
    }

    @Test
    @Tag("P11")
    void anOperatorOfOnesOwnIsManagedAndItsHealthIsTrue() {
        try (var application = start(OwnOperator.class)) {
            awaitHealth(application, "UP");
        }
    }

    @Test
    @Tag("P11")
    void severalOperatorsAreRefusedInWords() {
        assertThatThrownBy(() -> start(TwoOperators.class))
                .rootCause()
                .hasMessageContainingAll("own", "second", "@Primary");
    }

    @Test
    @Tag("P11")
    @Timeout(60)
    void theShutdownPhaseLimitsHowLongTheOperatorIsAwaited() throws Exception {
        SlowCleanup handlers;
        try (var application = start(
                Slow.class,
                "--spring.main.web-application-type=none",
                "--kopf4j.process.ultimate-exiting-timeout=none",
                "--spring.lifecycle.timeout-per-shutdown-phase=1s")) {
            handlers = application.getBean(SlowCleanup.class);
        }
        assertThat(handlers.begun.await(10, TimeUnit.SECONDS)).isTrue();
        handlers.end.countDown();
        await().until(() -> keepers().isEmpty());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class RepeatedCleanup {
        /** Would succeed some day, as far as anybody knows. */
        static class Handlers {
            @OnCleanup
            void fail() {
                throw new IllegalStateException("no route");
            }
        }

        @Bean
        Handlers failing() {
            return new Handlers();
        }
    }

    @Test
    @Tag("P11")
    void aFailingCleanupIsNotRepeatedOnBeansThatAreGone() {
        try (var _ = start(
                RepeatedCleanup.class,
                "--spring.main.web-application-type=none",
                "--spring.lifecycle.timeout-per-shutdown-phase=1s")) {
            assertThat(keepers()).hasSize(1);
        }
        await().until(() -> keepers().isEmpty());
    }

    @ParameterizedTest
    @Tag("P11")
    @ValueSource(strings = {"false", "off", "no", "0"})
    void theOperatorCanBeSwitchedOff(String off) {
        try (var application = start("--kopf4j.enabled=" + off)) {
            assertThat(application.getBeanProvider(Operator.class).getIfAvailable())
                    .isNull();
        }
    }

    @ParameterizedTest
    @Tag("P11")
    @ValueSource(strings = {"true", "on", "yes", "1"})
    void theOperatorIsThereByAllThatIsTrue(String on) {
        try (var application = start("--kopf4j.enabled=" + on)) {
            assertThat(application.getBeanProvider(Operator.class).getIfAvailable())
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @Tag("P11")
    @ValueSource(strings = {"false", "off"})
    void groupsOfHealthMayNameAnOperatorThatIsSwitchedOff(String off) throws Exception {
        try (var application = start(
                "--kopf4j.enabled=" + off,
                "--management.endpoint.health.group.readiness.include=readinessState,kopf4j,kopf4jWebhooks",
                "--management.endpoint.health.group.liveness.include=livenessState,kopf4jProbes",
                "--management.endpoint.health.probes.enabled=true")) {
            assertThat(get(application, "health/readiness")).endsWith("\"status\":\"UP\"}");
            assertThat(get(application, "health/liveness")).endsWith("\"status\":\"UP\"}");
            assertThat(get(application, "health/kopf4j")).contains("UNKNOWN", "kopf4j.enabled=false");
        }
    }
}
