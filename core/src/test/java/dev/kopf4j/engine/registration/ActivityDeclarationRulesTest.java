package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.Activity;
import dev.kopf4j.ActivityOptions;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Logins;
import dev.kopf4j.OnCleanup;
import dev.kopf4j.OnLogin;
import dev.kopf4j.OnStartup;
import dev.kopf4j.Operator;
import dev.kopf4j.Spec;
import dev.kopf4j.engine.OperatorPlan;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Declarations of activities that are refused before anything starts. */
class ActivityDeclarationRulesTest {
    private static void refused(Object handlers, String message) {
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> RegistryBuilder.build(
                        OperatorPlan.of(Operator.builder().handlers(handlers)).registrations()))
                .withMessageContaining(message);
    }

    private static void refused(String id, Consumer<ActivityOptions> options, String message) {
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> RegistryBuilder.build(
                        OperatorPlan.of(Operator.builder().onStartup(id, options, context -> null))
                                .registrations()))
                .withMessageContaining(message);
    }

    static final class TakesAnObject {
        @OnStartup
        void fn(Spec spec) {}
    }

    static final class LogsInAtTheEnd {
        @OnCleanup
        void fn(Logins logins) {}
    }

    static final class Misspelt {
        @OnLogin(backoff = "soon")
        void fn() {}
    }

    static final class Twice {
        @OnStartup
        void fn() {}

        @OnStartup
        void fn(int retry) {}
    }

    @Test
    void parametersMustBeThoseOfActivities() {
        refused(new TakesAnObject(), "parameter 'Spec spec' of TakesAnObject.fn(Spec): it is not known what to give");
        refused(new LogsInAtTheEnd(), "only login handlers can log in");
    }

    @Test
    void optionsMustMakeSense() {
        refused(new Misspelt(), "@OnLogin on Misspelt.fn(): backoff is not a duration: 'soon'");
        refused(new Twice(), "@OnStartup handler 'fn': there is another one with this id");
        refused(" ", h -> {}, "the id is blank");
        refused("a", h -> h.retries(0), "retries is the number of attempts in all, and must be positive: 0");
        refused("a", h -> h.timeout(Duration.ZERO), "timeout must be positive");
        refused("a", h -> h.backoff(Duration.ofSeconds(-1)), "backoff must not be negative");
    }

    @Test
    void operatorOfActivitiesAloneIsOne() {
        var registry = RegistryBuilder.build(OperatorPlan.of(
                        Operator.builder().onStartup("a", context -> null).onCleanup("a", context -> null))
                .registrations());
        assertThat(registry.activities())
                .extracting(each -> each.declaration().activity())
                .containsExactly(Activity.STARTUP, Activity.CLEANUP);
    }
}
