package dev.kopf4j.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.engine.admission.Webhooks.TreeBudget;
import dev.kopf4j.webhook.WebhookException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The memory that reviews may take: {@link Webhooks}. */
class TreeBudgetTest {
    /** Two fifths of the heap of the printed manifests. */
    private final TreeBudget budget = new TreeBudget(128L * 1024 * 1024 / 5 * 2);

    private static byte[] brackets(int bytes) {
        return ("{\"a\":[" + "[],".repeat(bytes / 3) + "0]}").getBytes(StandardCharsets.UTF_8);
    }

    /** As API servers send it for a change of an object of 1.5 MB. */
    private static byte[] ordinary() {
        String entry = "\"a.rather.usual.name.of.a.field\":\"and what is said of it, some forty letters\",";
        return ("{\"a\":{" + entry.repeat(3 * 1024 * 1024 / entry.length()) + "\"z\":1}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aReviewThatWouldFillTheHeapIsRefusedBeforeItIsParsed() {
        assertThatThrownBy(() -> budget.take(brackets(7 * 1024 * 1024)))
                .isInstanceOfSatisfying(
                        WebhookException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(413))
                .hasMessageContaining("two fifths of its heap");
        budget.take(ordinary()).close();
    }

    @Test
    void whatOthersTakeIsThereAgainWhenTheyAreAnswered() {
        byte[] large = brackets(1024 * 1024);
        TreeBudget.Share first = budget.take(large);
        assertThatThrownBy(() -> budget.take(large))
                .isInstanceOfSatisfying(
                        WebhookException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(503));
        budget.take(brackets(10_000)).close();
        first.close();
        budget.take(large).close();
    }
}
