package dev.kopf4j.engine.probe;

import static dev.kopf4j.client.api.WellKnownResources.LEASES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorState;
import dev.kopf4j.StreamState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The table of metrics in docs/observability.md is made of what an operator exports. It is written to
 * {@code core/target/metrics.md}, to be copied from there.
 */
class MetricsTableTest {
    private static final Pattern FAMILY = Pattern.compile("# HELP (\\S+) (.*)\\.\n# TYPE \\S+ (\\S+)\n");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

    /** All that there is to count has happened once. */
    static String page() {
        MetricsPage page = new MetricsPage(() -> Duration.ofSeconds(70));
        page.handlerEnded(new HandlerCall(
                "make", HandlerKind.CREATE, LEASES, HandlerCall.Outcome.ERROR, 1, Duration.ofMillis(3)));
        page.processingBegan(LEASES, Duration.ofMillis(1));
        page.objectUnreadable(LEASES);
        page.handlingPaused(LEASES, true);
        page.requestEnded("PATCH", 200, Duration.ofMillis(2));
        page.observe(() -> new OperatorState(
                true,
                List.of(),
                List.of(),
                List.of(new StreamState(LEASES, "ns", true, false, null, Duration.ofSeconds(1), 2)),
                true,
                new OperatorState.Shards(64, 64, "0-63")));
        return page.content().text();
    }

    @Test
    void tableIsWhatAnOperatorExports() throws IOException {
        String page = page();
        String table = "| metric | type | labels | meaning |\n|---|---|---|---|\n"
                + FAMILY.matcher(page)
                        .results()
                        .map(family -> row(family, page))
                        .collect(Collectors.joining());
        Path target = Files.writeString(Path.of("target", "metrics.md"), table);
        assertThat(table).contains("| `kopf4j_handler_seconds` | histogram | handler, kind, resource, group |");
        assertThat(page.lines().filter(line -> line.startsWith("# HELP")))
                .as("each has its row")
                .hasSize((int) table.lines().count() - 2);
        assertThat(Path.of("..", "docs", "observability.md"))
                .as("the table of metrics, see core/%s", target)
                .content()
                .contains("\n\n" + table + "\n");
    }

    private static String row(MatchResult family, String page) {
        String first = page.lines()
                .filter(line -> line.matches(Pattern.quote(family.group(1)) + "[_{ ].*"))
                .findFirst()
                .orElseThrow();
        String labels = LABEL.matcher(first)
                .results()
                .map(label -> label.group(1))
                .filter(label -> !label.equals("le"))
                .collect(Collectors.joining(", "));
        return "| `%s` | %s | %s| %s |\n"
                .formatted(family.group(1), family.group(3), labels.isEmpty() ? "" : labels + " ", family.group(2));
    }
}
