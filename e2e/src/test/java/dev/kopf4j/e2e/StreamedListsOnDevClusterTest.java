package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.EventType;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.devcluster.Options;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators ask of a server if they are to get their lists as the beginning of streams. */
@Tag("B01")
class StreamedListsOnDevClusterTest {
    private static final String EXAMPLES = "/apis/kopf.dev/v1/kopfexamples?";
    private static final String INITIAL_EVENTS = "sendInitialEvents=true";

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> events = new CopyOnWriteArrayList<>();

    @AutoClose
    private TestCluster cluster;

    private OperatorHandle operate(boolean offered) throws InterruptedException {
        cluster = TestCluster.start(Options.defaults().watchList(offered).requestLog(requests::add));
        cluster.createExample("default", "a");
        cluster.createExample("default", "b");
        OperatorHandle operator = Operator.builder()
                .clusterwide()
                .connection(ConnectionInfo.builder(cluster.cluster().url())
                        .token(cluster.cluster().token())
                        .build())
                .settings(settings -> settings.watching().streamedLists(true).serverTimeout(Duration.ofSeconds(2)))
                .onEvent("kopfexamples", "event", this::note)
                .build()
                .start();
        assertThat(operator.awaitReady(Kopf4j.PATIENCE)).isTrue();
        return operator;
    }

    /** The operator's own annotations come back as modifications, sooner or later. */
    private boolean note(HandlerContext context) {
        String type = context.eventType().map(EventType::name).orElse("listed");
        return type.equals("MODIFIED")
                || events.add(type + (context.isSynthetic() ? " unseen " : " ") + context.name());
    }

    private void awaitEvents(String... expected) {
        await("the events")
                .atMost(Kopf4j.PATIENCE)
                .untilAsserted(() -> assertThat(events).containsExactlyInAnyOrder(expected));
    }

    private List<String> requestsWith(String part) {
        return requests.stream().filter(line -> line.contains(part)).toList();
    }

    @Test
    void whereTheServerOffersThemNothingIsListedOtherwise() throws Exception {
        try (OperatorHandle operator = operate(true)) {
            awaitEvents("listed a", "listed b");
            cluster.createExample("default", "c");
            awaitEvents("listed a", "listed b", "ADDED c");
            assertThat(operator.hasEnded()).isFalse();
            assertThat(requestsWith(EXAMPLES))
                    .element(0)
                    .asString()
                    .contains("watch=true", INITIAL_EVENTS, "resourceVersionMatch=NotOlderThan");
            assertThat(requestsWith("limit=")).isEmpty();
        }
    }

    @Test
    void objectsThatVanishedWhileNobodyWatchedAreMissedInTheNextList() throws Exception {
        try (OperatorHandle operator = operate(true)) {
            awaitEvents("listed a", "listed b");
            cluster.cluster().faults().add("WATCH /apis/kopf.dev/v1/kopfexamples 503");
            await("a refused watch")
                    .atMost(Kopf4j.PATIENCE)
                    .until(() -> !requestsWith("503").isEmpty());
            cluster.delete(TestCluster.example("default", "b"));
            cluster.cluster().compact();
            cluster.cluster().faults().clear();
            awaitEvents("listed a", "listed b", "listed a", "DELETED unseen b");
            assertThat(operator.hasEnded()).isFalse();
            assertThat(requestsWith("limit=500")).isEmpty();
        }
    }

    @Test
    void whereTheServerRefusesThemListsArePaged() throws Exception {
        try (OperatorHandle operator = operate(false)) {
            awaitEvents("listed a", "listed b");
            cluster.createExample("default", "c");
            awaitEvents("listed a", "listed b", "ADDED c");
            assertThat(operator.hasEnded()).isFalse();
            assertThat(requestsWith(EXAMPLES + "limit=500")).hasSize(1);
            assertThat(requestsWith(INITIAL_EVENTS))
                    .as("each stream asks once at the most")
                    .isNotEmpty()
                    .doesNotHaveDuplicates()
                    .allMatch(line -> line.endsWith(" 422"));
        }
    }
}
