package dev.kopf4j.cli.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A log that nobody reads. Tests {@link LogStream}. */
class LogStreamTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.EPOCH);
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final LoggerContext context = new LoggerContext();

    private LogStream stream(Duration each) {
        return new LogStream(world, () -> new PrintStream(taken, true, StandardCharsets.UTF_8) {
            @Override
            public void write(byte[] bytes, int offset, int length) {
                try {
                    world.sleep(each);
                } catch (InterruptedException e) {
                    throw new AssertionError("nobody interrupts it", e);
                }
                super.write(bytes, offset, length);
            }
        });
    }

    /** Two lines, of which each takes that long. */
    @ParameterizedTest
    @CsvSource({
        "0, 1, false",
        "59, 58, false",
        "59, 61, false", // the second line has not waited for long
        "61, 59, false",
        "61, 60, true",
        "61, 62, false",
        "61, 121, true",
        "61, 123, false",
        "86400, 86399, true"
    })
    void aLineThatNobodyTakesForAMinuteIsTrouble(int each, int asked, boolean told) {
        LogStream stream = stream(Duration.ofSeconds(each));
        context.setMDCAdapter(new LogbackMDCAdapter());
        LogConfiguration.configure(
                context, new LogSettings(Verbosity.NORMAL, LogFormat.PLAIN, true, false, "object", Map.of()), stream);
        var _ = world.spawn("logging", () -> {
            context.getLogger("kopf4j.objects").info("one");
            context.getLogger("kopf4j.objects").info("two");
        });
        world.runFor(Duration.ofSeconds(asked));
        assertThat(stream.troubles())
                .isEqualTo(
                        told
                                ? List.of("nobody has taken a line of the log from stderr for more than 60 s,"
                                        + " and all that logs waits for that")
                                : List.of());
        world.runFor(Duration.ofSeconds(2L * each));
        assertThat(taken.toString(StandardCharsets.UTF_8)).isEqualTo("one\ntwo\n");
        assertThat(stream.troubles()).isEmpty();
    }
}
