package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.daemon.TimerSchedule.NextCall;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link TimerSchedule}: when a timer is called next. */
class TimerScheduleTest {
    private static final Duration TEN = Duration.ofSeconds(10);
    private static final TimerSchedule DAEMON = new TimerSchedule(false, null, false, null);
    private static final TimerSchedule TIMER = new TimerSchedule(true, TEN, false, null);
    private static final TimerSchedule SHARP = new TimerSchedule(true, TEN, true, null);
    private static final TimerSchedule IDLE = new TimerSchedule(true, null, false, TEN);

    private static Deadline second(double second) {
        return new Deadline(Math.round(second * 1e9));
    }

    private static NextCall succeeded(TimerSchedule nextCallSchedule, double due, double now) {
        return nextCallSchedule.after(new Outcome.Succeeded(null), second(due), second(now), false);
    }

    @Test
    @Tag("E04")
    void daemonsEndByThemselvesButAreRetried() {
        assertThat(succeeded(DAEMON, 1, 2)).isEqualTo(new NextCall.End());
        assertThat(DAEMON.after(new Outcome.Failed("never"), second(1), second(2), true))
                .isEqualTo(new NextCall.End());
        assertThat(DAEMON.after(new Outcome.Retry(TEN, "later"), second(1), second(2), false))
                .isEqualTo(new NextCall.At(second(12)));
    }

    @Test
    @Tag("E11")
    void intervalsBeginWithTheEnd() {
        assertThat(succeeded(TIMER, 1, 2.5)).isEqualTo(new NextCall.At(second(12.5)));
    }

    @Test
    @Tag("E12")
    void sharpIntervalsAreAGridFromTheDueMoment() {
        assertThat(succeeded(SHARP, 1, 1)).isEqualTo(new NextCall.At(second(11)));
        assertThat(succeeded(SHARP, 1, 10.9)).isEqualTo(new NextCall.At(second(11)));
        assertThat(succeeded(SHARP, 1, 11)).isEqualTo(new NextCall.At(second(21)));
        assertThat(succeeded(SHARP, 1, 38)).isEqualTo(new NextCall.At(second(41)));
    }

    @Test
    @Tag("L04")
    @Tag("L24")
    void errorsOverrideTheInterval() {
        assertThat(SHARP.after(new Outcome.Retry(Duration.ofSeconds(3), "later"), second(1), second(2), false))
                .isEqualTo(new NextCall.At(second(5)));
        assertThat(TIMER.after(new Outcome.Failed("never"), second(1), second(2), false))
                .isEqualTo(new NextCall.End());
    }

    @Test
    @Tag("E14")
    void idleOnesWaitForAChangeUnlessThereWasOne() {
        assertThat(succeeded(IDLE, 1, 2)).isEqualTo(new NextCall.AfterChange());
        assertThat(IDLE.after(new Outcome.Succeeded(null), second(1), second(2), true))
                .isEqualTo(new NextCall.At(second(2)));
        assertThat(succeeded(new TimerSchedule(true, null, false, null), 1, 2)).isEqualTo(new NextCall.End());
    }
}
