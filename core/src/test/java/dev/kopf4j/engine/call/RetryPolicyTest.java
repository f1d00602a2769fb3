package dev.kopf4j.engine.call;

import static dev.kopf4j.engine.call.HandlerFixtures.creation;
import static dev.kopf4j.engine.call.HandlerFixtures.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kopf4j.BindingException;
import dev.kopf4j.ErrorsMode;
import dev.kopf4j.OnCreate;
import dev.kopf4j.PermanentException;
import dev.kopf4j.SettingException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.json.Json;
import dev.kopf4j.persistence.progress.ProgressRecord;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.Level;

/** Tests {@link RetryPolicy}: what follows from the end of a call, by the limits and the errors mode. */
class RetryPolicyTest {
    private static final Duration RUNTIME = Duration.ofSeconds(5);

    private static RetryPolicy judgement(Consumer<OnCreate.Options> options, int attempts) {
        return new RetryPolicy(creation(options), attempts, RUNTIME, Duration.ZERO, Duration.ofSeconds(60));
    }

    private static Outcome.Retry retry(Duration delay, String message) {
        return new Outcome.Retry(delay, message);
    }

    private static void expect(@Nullable RetryDecision retryDecision, Outcome outcome, Level level, String line) {
        RetryDecision found = Objects.requireNonNull(retryDecision);
        assertThat(found.outcome()).isEqualTo(outcome);
        assertThat(found.level()).isEqualTo(level);
        assertThat(found.line()).isEqualTo(line);
    }

    @Test
    @Tag("C27")
    void temporaryErrorsAreRetriedAfterTheirDelay() {
        RetryPolicy retryPolicy = judgement(h -> {}, 0);
        expect(
                retryPolicy.threw(new TemporaryException("later")),
                retry(Duration.ofSeconds(60), "later"),
                Level.ERROR,
                "Handler 'fn' failed temporarily: later");
        expect(
                retryPolicy.threw(new TemporaryException("", Duration.ofSeconds(-3))),
                retry(Duration.ZERO, ""),
                Level.ERROR,
                "Handler 'fn' failed temporarily: TemporaryException('')");
        expect(
                retryPolicy.threw(new TemporaryException("now", null)),
                retry(Duration.ZERO, "now"),
                Level.ERROR,
                "Handler 'fn' failed temporarily: now");
        assertThat(new TemporaryException("now", null, new IllegalStateException()).delay())
                .isZero();
        assertThat(retryPolicy.threw(new TemporaryException("x")).trace()).isNull();
    }

    @Test
    @Tag("C28")
    void permanentErrorsAreFinal() {
        expect(
                judgement(h -> {}, 0).threw(new PermanentException("never")),
                new Outcome.Failed("never"),
                Level.ERROR,
                "Handler 'fn' failed permanently: never");
        expect(
                judgement(h -> h.errors(ErrorsMode.IGNORED), 0)
                        .threw(new BindingException("does not fit", new IllegalStateException())),
                new Outcome.Failed("does not fit"),
                Level.ERROR,
                "Handler 'fn' failed permanently: does not fit");
    }

    @Test
    void aWrongSettingIsFinalAndHasNoTrace() {
        RetryDecision decision = judgement(h -> {}, 0).threw(new SettingException("there is no setting 'x'"));

        expect(
                decision,
                new Outcome.Failed("there is no setting 'x'"),
                Level.ERROR,
                "Handler 'fn' failed permanently: there is no setting 'x'");
        assertThat(decision.trace()).isNull();
    }

    @Test
    @Tag("C29")
    void modesDecideOnArbitraryExceptions() {
        IllegalStateException boom = new IllegalStateException("boom");
        expect(
                judgement(h -> {}, 0).threw(boom),
                retry(Duration.ofSeconds(60), "boom"),
                Level.ERROR,
                "Handler 'fn' failed with an exception and will try again in 60 seconds: boom");
        expect(
                judgement(h -> h.errors(ErrorsMode.PERMANENT), 0).threw(boom),
                new Outcome.Failed("boom"),
                Level.ERROR,
                "Handler 'fn' failed with an exception and will stop now: boom");
        expect(
                judgement(h -> h.errors(ErrorsMode.IGNORED), 0).threw(boom),
                new Outcome.Succeeded(null),
                Level.ERROR,
                "Handler 'fn' failed with an exception and will ignore it: boom");
        assertThat(judgement(h -> {}, 0).threw(boom).trace()).isSameAs(boom);
        assertThat(new RetryPolicy(event(h -> {}), 0, Duration.ZERO, Duration.ZERO, RUNTIME)
                        .threw(boom)
                        .outcome())
                .as("by default in event handlers")
                .isEqualTo(new Outcome.Succeeded(null));
    }

    @Test
    @Tag("C30")
    void backoffOfTheHandlerWinsOverTheSetting() {
        RuntimeException boom = new IllegalStateException("boom");
        expect(
                judgement(h -> h.backoff(Duration.ofMillis(1500)), 0).threw(boom),
                retry(Duration.ofMillis(1500), "boom"),
                Level.ERROR,
                "Handler 'fn' failed with an exception and will try again in 1.5 seconds: boom");
        assertThat(new RetryPolicy(creation(h -> {}), 0, RUNTIME, Duration.ZERO, Duration.ofSeconds(7))
                        .threw(boom)
                        .outcome())
                .isEqualTo(retry(Duration.ofSeconds(7), "boom"));
    }

    @Test
    @Tag("C31")
    void attemptsAreCountedStrictlyAndAhead() {
        Consumer<OnCreate.Options> three = h -> h.retries(3);
        assertThat(judgement(three, 2).checkLimits()).isNull();
        expect(
                judgement(three, 3).checkLimits(),
                new Outcome.Failed("Handler 'fn' has exceeded 3 retries."),
                Level.ERROR,
                "Handler 'fn' has exceeded 3 retries.");
        assertThat(Objects.requireNonNull(judgement(three, 5).checkLimits()).line())
                .as("of an operator that had more")
                .isEqualTo("Handler 'fn' has exceeded 5 retries.");
        assertThat(judgement(three, 1).threw(new TemporaryException("x")).outcome())
                .isInstanceOf(Outcome.Retry.class);
        expect(
                judgement(three, 2).threw(new TemporaryException("x")),
                new Outcome.Failed("Handler 'fn' failed temporarily but will exceed 3 retries: x"),
                Level.ERROR,
                "Handler 'fn' failed temporarily but will exceed 3 retries: x");
        expect(
                judgement(three, 2).threw(new IllegalStateException("x")),
                new Outcome.Failed(
                        "Handler 'fn' failed with an exception and will stop now (it would exceed 3 retries on the next"
                                + " attempt): x"),
                Level.ERROR,
                "Handler 'fn' failed with an exception and will stop now (it would exceed 3 retries on the next"
                        + " attempt): x");
        assertThat(judgement(three, 1).threw(new IllegalStateException("x")).outcome())
                .isInstanceOf(Outcome.Retry.class);
    }

    @Test
    @Tag("C32")
    void timeIsCheckedStrictlyAndAhead() {
        assertThat(judgement(h -> h.timeout(RUNTIME.plusMillis(1)), 0).checkLimits())
                .isNull();
        expect(
                judgement(h -> h.timeout(RUNTIME), 0).checkLimits(),
                new Outcome.Failed("Handler 'fn' has timed out after 0:00:05."),
                Level.ERROR,
                "Handler 'fn' has timed out after 0:00:05.");
        Consumer<OnCreate.Options> ten = h -> h.timeout(Duration.ofSeconds(10)).backoff(Duration.ofSeconds(5));
        expect(
                judgement(ten, 0).threw(new TemporaryException("x", Duration.ofSeconds(5))),
                new Outcome.Failed("Handler 'fn' failed temporarily but will time out after 10 seconds: x"),
                Level.ERROR,
                "Handler 'fn' failed temporarily but will time out after 10 seconds: x");
        assertThat(judgement(ten, 0)
                        .threw(new TemporaryException("x", Duration.ofMillis(4999)))
                        .outcome())
                .isInstanceOf(Outcome.Retry.class);
        expect(
                judgement(ten, 0).threw(new IllegalStateException("x")),
                new Outcome.Failed(
                        "Handler 'fn' failed with an exception and will stop now (it would time out in 10 seconds on the next"
                                + " attempt): x"),
                Level.ERROR,
                "Handler 'fn' failed with an exception and will stop now (it would time out in 10 seconds on the next"
                        + " attempt): x");
    }

    /** What has kept it waiting is no time that the handler has used. */
    @ParameterizedTest(name = "due after {0}, made after {1}: {2} left")
    @CsvSource({
        "        , PT3H,    PT10M",
        "PT1M,     PT1M,    PT9M",
        "PT1M,     PT2M,    PT9M",
        "PT1M,     PT1M0.9S, PT8M59.1S",
        "PT9M59S,  PT3H,    PT1S",
        "PT5M,     PT4M,    PT6M",
        "PT10M,    PT10M,   PT0S",
        "PT11M,    PT3H,    PT-1M",
    })
    @Tag("C32")
    void timeByWhichAnAttemptIsLateDoesNotCount(@Nullable Duration due, Duration made, Duration left) {
        Instant started = Instant.parse("2020-01-01T00:00:00Z");
        Instant now = started.plus(made);
        ProgressRecord fresh = ProgressRecord.fresh(started, "create");
        ProgressRecord record = due == null
                ? fresh
                : new Outcome.Retry(due, "later").recordedAfter(fresh, started).countingLateness(now);
        RetryPolicy policy = RetryPolicy.of(
                creation(h -> h.timeout(Duration.ofMinutes(10))),
                record.countingLateness(now).countingLateness(now),
                now,
                RUNTIME);
        assertThat(policy.timeLeft()).isEqualTo(left);
        if (left.isPositive()) {
            assertThat(policy.checkLimits()).isNull();
        } else {
            assertThat(Objects.requireNonNull(policy.checkLimits()).line()).contains("has timed out after");
        }
        assertThat(policy.threw(new TemporaryException("x")).outcome())
                .isInstanceOf(left.toMinutes() > 1 ? Outcome.Retry.class : Outcome.Failed.class);
    }

    /** As Python writes a timedelta. */
    @ParameterizedTest
    @CsvSource({
        "PT0S, 0:00:00",
        "PT5.25S, 0:00:05.250000",
        "PT1H2M3.000004S, 1:02:03.000004",
        "PT0.0000001S, 0:00:00",
        "PT24H, '1 day, 0:00:00'",
        "PT59H59M59S, '2 days, 11:59:59'",
    })
    @Tag("C32")
    void timeIsWrittenAsPythonOperatorsDo(Duration runtime, String text) {
        RetryPolicy policy = new RetryPolicy(creation(h -> {}), 0, runtime, Duration.ZERO, RUNTIME);
        assertThat(policy.timedOut().line()).isEqualTo("Handler 'fn' has timed out after " + text + ".");
    }

    private record Claim(String name, @Nullable Integer size) {}

    private static @Nullable Object result(@Nullable Object returned) {
        RetryDecision retryDecision = judgement(h -> {}, 0).returned(HandlerResult.json(returned));
        assertThat(retryDecision.line()).isEqualTo("Handler 'fn' succeeded.");
        assertThat(retryDecision.level()).isEqualTo(Level.INFO);
        assertThat(retryDecision.outcome()).isInstanceOf(Outcome.Succeeded.class);
        return Json.toJava(((Outcome.Succeeded) retryDecision.outcome()).result());
    }

    @Test
    @Tag("L30")
    @Tag("C33")
    void resultsMayBeOfManyTypes() {
        assertThat(result(null)).isNull();
        assertThat(result(Optional.empty())).isNull();
        assertThat(result(Optional.of("x"))).isEqualTo("x");
        assertThat(result(Map.of("k", 1))).isEqualTo(Map.of("k", 1));
        assertThat(result(new Claim("x", 2))).isEqualTo(Map.of("name", "x", "size", 2));
        assertThat(result(Json.parse("{\"k\":[1]}"))).isEqualTo(Map.of("k", List.of(1)));
        assertThat(result(List.of("a", true))).isEqualTo(List.of("a", true));
        assertThat(result(DayOfWeek.MONDAY)).isEqualTo("MONDAY");
        assertThat(result(Instant.EPOCH)).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(result(42L)).isEqualTo(42);
        assertThat(result(HandlerFixtures.subject("{'spec':{'a':1}}").body().spec()))
                .isEqualTo(Map.of("a", 1));
    }

    /** A bean whose property cannot be read. */
    public static final class Broken {
        /** Cannot be read unless there is a text. */
        public String getValue() {
            return Objects.requireNonNull(System.getProperty("kopf4j.test.absent"), "no value today");
        }
    }

    @Test
    @Tag("L31")
    void resultsThatCannotBeStoredAreFailuresOfTheHandler() {
        Map<String, Object> endless = new LinkedHashMap<>();
        endless.put("self", endless);
        List<Object> nan = new ArrayList<>(List.of(Double.NaN));
        for (Object result : List.of(new Object(), new Broken(), endless, nan)) {
            RetryDecision retryDecision = refused(result);
            assertThat(retryDecision.outcome()).as(result.getClass().getName()).isInstanceOf(Outcome.Failed.class);
            assertThat(retryDecision.line())
                    .startsWith("Handler 'fn' failed permanently: the result cannot be stored in the status: ")
                    .contains("return a map, a record");
        }
        assertThat(refused(new Object()).line()).contains("java.lang.Object");
    }

    private static RetryDecision refused(Object result) {
        return judgement(h -> {}, 0)
                .threw(catchThrowableOfType(PermanentException.class, () -> HandlerResult.json(result)));
    }
}
