package dev.kopf4j.engine.admission.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.webhook.WebhookAuthority;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AuthorityStateTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final WebhookAuthority OPTIONS = WebhookAuthority.inSecret("ns", "name");

    private static Instant after(Duration time) {
        return START.plus(time);
    }

    /** All steps of three years, looked for each hour: when, who signs, how many are trusted. */
    @Test
    @Tag("J32")
    void anAuthorityIsAnnouncedThenSignsThenIsAlone() {
        AuthorityState state = AuthorityState.fresh(OPTIONS, START);
        List<String> steps = new ArrayList<>();
        int signers = 1;
        for (int hour = 0; hour < 24 * 800; hour++) {
            AuthorityState before = state;
            state = before.step(OPTIONS, after(Duration.ofHours(hour))).orElse(before);
            assertThat(state.trusted())
                    .contains(before.signing().certificate(), state.signing().certificate());
            if (!state.equals(before)) {
                signers += state.signing().equals(before.signing()) ? 0 : 1;
                steps.add(hour / 24 + "d" + hour % 24 + "h " + signers + (state.next() == null ? "" : "+next") + " of "
                        + state.trusted().size());
            }
        }
        assertThat(steps)
                .containsExactly(
                        "275d0h 1+next of 2",
                        "275d1h 2 of 2",
                        "365d0h 2 of 1",
                        "550d0h 2+next of 2",
                        "550d1h 3 of 2",
                        "640d0h 3 of 1");
    }

    @Test
    @Tag("J32")
    void whoIsTrustedFirstIsTheNewest() throws Exception {
        AuthorityState old = AuthorityState.fresh(OPTIONS, START);
        AuthorityState state = old.step(OPTIONS, after(Duration.ofDays(275))).orElseThrow();
        List<X509Certificate> bundle = PemReader.certificates("bundle", state.bundle());
        assertThat(bundle.getLast()).isEqualTo(old.signing().certificate());
        assertThat(bundle).hasSize(2).isEqualTo(state.trusted());
    }

    /** The clock of the replica that made it was ahead, or was for the one that made the next one. */
    @Test
    @Tag("J32")
    void whatIsNotValidYetIsReplacedAtOnceAndSignsNothing() {
        AuthorityState early = AuthorityState.fresh(OPTIONS, after(Duration.ofDays(2)));
        assertThat(early.step(OPTIONS, after(Duration.ofDays(2).minusMinutes(50))))
                .as("clocks differ a little")
                .isEmpty();
        AuthorityState now = early.step(OPTIONS, START).orElseThrow();
        assertThat(now.signing().madeAt()).isEqualTo(START);
        assertThat(now.trusted())
                .containsExactly(now.signing().certificate(), early.signing().certificate());
        assertThat(now.step(OPTIONS, START)).isEmpty();

        AuthorityState announced = AuthorityState.fresh(OPTIONS, START)
                .step(OPTIONS, after(Duration.ofDays(300)))
                .orElseThrow();
        assertThat(announced.step(OPTIONS, after(Duration.ofDays(100)))).isEmpty();
        Instant due = after(Duration.ofDays(276));
        AuthorityState again = announced.step(OPTIONS, due).orElseThrow();
        assertThat(again.signing()).isEqualTo(announced.signing());
        assertThat(again.step(OPTIONS, due.plus(Duration.ofHours(1)))
                        .orElseThrow()
                        .signing()
                        .madeAt())
                .isEqualTo(due);
    }

    @Test
    @Tag("J32")
    void afterAYearWithoutAnyReplicaThereIsANewOneAtOnce() {
        AuthorityState state = AuthorityState.fresh(OPTIONS, START);
        AuthorityState later = state.step(OPTIONS, after(Duration.ofDays(400))).orElseThrow();
        assertThat(later.signing()).isNotEqualTo(state.signing());
        assertThat(later.trusted()).containsExactly(later.signing().certificate());

        AuthorityState announced =
                state.step(OPTIONS, after(Duration.ofDays(364))).orElseThrow();
        AuthorityState lateAgain =
                announced.step(OPTIONS, after(Duration.ofDays(366))).orElseThrow();
        assertThat(lateAgain.signing()).isEqualTo(announced.next());
        assertThat(lateAgain.trusted()).containsExactly(lateAgain.signing().certificate());
    }
}
