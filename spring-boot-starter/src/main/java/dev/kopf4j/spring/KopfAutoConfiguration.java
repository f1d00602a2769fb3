package dev.kopf4j.spring;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.micrometer.MicrometerMetrics;
import dev.kopf4j.spring.OperatorLifecycle.ApplicationExit;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Makes an operator of all beans that have handlers. An application with a bean of type {@link Operator} has built its
 * own already. {@code kopf4j.enabled=false} switches all of it off.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@Conditional(Switches.On.class)
@EnableConfigurationProperties(KopfProperties.class)
public class KopfAutoConfiguration {
    /** The operator, which is not started yet. */
    @Bean
    @ConditionalOnMissingBean
    Operator kopf4jOperator(
            ConfigurableListableBeanFactory beans,
            KopfProperties properties,
            Environment environment,
            ObjectProvider<MetricsListener> metrics,
            ObjectProvider<OperatorCustomizer> customizers) {
        OperatorBuilder builder = Operator.builder()
                .handlers(new HandlerBeans(beans).all().toArray())
                .settings(settings -> settings.process().ultimateExitingTimeout(timeToCleanUp(environment)))
                .settings(new EnvironmentSettings(environment)::applyTo);
        builder.namespaces(properties.namespacePatterns().toArray(String[]::new));
        if (properties.clusterwide()) {
            builder.clusterwide();
        }
        if (properties.kubeconfig() != null) {
            builder.kubeconfig(properties.kubeconfig());
        }
        metrics.orderedStream().forEach(builder::metricsListener);
        customizers.orderedStream().forEach(each -> each.customize(builder));
        return builder.build();
    }

    /**
     * How long cleanup handlers are called and repeated, unless a setting says otherwise: when the phase is over in
     * which Spring waits for the operator, the other beans go. The last third is for what ends before them: handlers,
     * and webhooks, which go on for five seconds behind a Service.
     */
    private static Duration timeToCleanUp(Environment environment) {
        Duration phase = Binder.get(environment)
                .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                .orElse(Duration.ofSeconds(30));
        Duration time = phase.multipliedBy(2).dividedBy(3);
        // Not even Spring waits then.
        return time.isPositive() ? time : Duration.ofMillis(1);
    }

    /**
     * Starts and stops it with the application, also one that the application has built; that of a parent context is
     * started by the parent.
     */
    @Bean
    @Conditional(NotStartedByParent.class)
    OperatorLifecycle kopf4jLifecycle(
            ObjectProvider<Operator> operators,
            ConfigurableListableBeanFactory beans,
            ApplicationEventPublisher events,
            ObjectProvider<ApplicationExit> exit) {
        String[] own = beans.getBeanNamesForType(Operator.class);
        // The provider would find that of the parent, too, which the parent starts.
        Operator operator = own.length == 1 ? beans.getBean(own[0], Operator.class) : operators.getIfUnique();
        if (operator == null) {
            throw new IllegalStateException("there are several beans of type Operator: "
                    + List.of(own)
                    + "; one of them is started and stopped with the application: mark it with @Primary, and start the"
                    + " others yourself (operator.start())");
        }
        return new OperatorLifecycle(operator, events, exit.getIfAvailable());
    }

    /** Warns in a context whose parent has the operator, which calls the handlers of the parent's beans alone. */
    @Bean
    SmartInitializingSingleton kopf4jUncalledHandlers(ConfigurableListableBeanFactory beans) {
        return () -> {
            if (beans.getBeanNamesForType(OperatorLifecycle.class, true, false).length == 0) {
                new HandlerBeans(beans).tellUncalled();
            }
        };
    }

    /** The operator is of this context, or the parent has no lifecycle for it. */
    static final class NotStartedByParent extends AnyNestedCondition {
        NotStartedByParent() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(value = Operator.class, search = SearchStrategy.CURRENT)
        static final class OwnOperator {}

        @ConditionalOnMissingBean(OperatorLifecycle.class)
        static final class NoLifecycle {}
    }

    /** Without a web server: nobody could ask for the liveness of the application. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnNotWebApplication
    @Conditional(Switches.EndsOnFailure.class)
    static class ExitConfiguration {
        /** A property of applications of {@code @SpringBootTest}, which run in a process with other tests. */
        private static final String TEST = "org.springframework.boot.test.context.SpringBootTestContextBootstrapper";

        /** Closes the application, and ends the process by the code that its beans want. */
        @Bean
        @ConditionalOnMissingBean
        ApplicationExit kopf4jExit(ApplicationContext application, Environment environment) {
            return () -> {
                int code = SpringApplication.exit(application);
                if (!environment.containsProperty(TEST)) {
                    System.exit(code);
                }
            };
        }
    }

    /** With Actuator. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class HealthConfiguration {
        /** In Actuator, its name is {@code kopf4j}. */
        @Bean
        @ConditionalOnEnabledHealthIndicator("kopf4j")
        OperatorHealth kopf4jHealthIndicator(OperatorLifecycle lifecycle) {
            return new OperatorHealth(lifecycle);
        }

        /**
         * In Actuator, its name is {@code kopf4jWebhooks}: what the readiness of a pod behind a Service may depend on.
         */
        @Bean
        @ConditionalOnEnabledHealthIndicator("kopf4jwebhooks")
        HealthIndicator kopf4jWebhooksHealthIndicator(OperatorLifecycle lifecycle) {
            return () -> {
                OperatorHandle handle = lifecycle.handle();
                return (handle != null && !handle.hasEnded() && handle.state().serving()
                                ? Health.up()
                                : Health.outOfService())
                        .build();
            };
        }

        /**
         * In Actuator, its name is {@code kopf4jProbes}: down while a handler of {@code @OnProbe} fails, whose reason
         * is the detail then; up with what they have returned; unknown while nobody can be asked, before the start-up
         * handlers have ended and, without handlers of probes, until the operator is ready; and after the end.
         */
        @Bean
        @ConditionalOnEnabledHealthIndicator("kopf4jprobes")
        HealthIndicator kopf4jProbesHealthIndicator(OperatorLifecycle lifecycle) {
            return new AbstractHealthIndicator() {
                @Override
                protected void doHealthCheck(Health.Builder builder) throws InterruptedException {
                    OperatorHandle handle = lifecycle.handle();
                    builder.unknown();
                    if (handle != null) {
                        Map<String, @Nullable Object> results = handle.probe();
                        if (!results.isEmpty() || handle.state().ready()) {
                            builder.up();
                        }
                        results.forEach(
                                (id, result) -> builder.withDetail(id, Objects.requireNonNullElse(result, "null")));
                    }
                }
            };
        }
    }

    /** With Micrometer. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(MeterRegistry.class)
    static class MetricsConfiguration {
        /** What the operator counts and measures is in the registry of the application. */
        @Bean
        @ConditionalOnMissingBean
        MicrometerMetrics kopf4jMetrics(MeterRegistry registry) {
            return new MicrometerMetrics(registry);
        }
    }
}
