package dev.kopf4j.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Takes the place of {@link KopfAutoConfiguration} with {@code kopf4j.enabled=false}: Actuator ends the start of an
 * application whose groups of health name what does not exist. Unknown is no reason for a group to be down.
 */
@AutoConfiguration
@Conditional(Switches.Off.class)
@ConditionalOnClass(HealthIndicator.class)
public class SwitchedOffAutoConfiguration {
    /** In Actuator, its name is {@code kopf4j}. */
    @Bean
    @ConditionalOnEnabledHealthIndicator("kopf4j")
    HealthIndicator kopf4jHealthIndicator() {
        return () -> Health.unknown()
                .withDetail("reason", KopfProperties.PREFIX + ".enabled=false")
                .build();
    }

    /** In Actuator, its name is {@code kopf4jWebhooks}. */
    @Bean
    @ConditionalOnEnabledHealthIndicator("kopf4jwebhooks")
    HealthIndicator kopf4jWebhooksHealthIndicator() {
        return kopf4jHealthIndicator();
    }

    /** In Actuator, its name is {@code kopf4jProbes}. */
    @Bean
    @ConditionalOnEnabledHealthIndicator("kopf4jprobes")
    HealthIndicator kopf4jProbesHealthIndicator() {
        return kopf4jHealthIndicator();
    }
}
