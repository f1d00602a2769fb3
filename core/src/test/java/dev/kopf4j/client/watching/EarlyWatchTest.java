package dev.kopf4j.client.watching;

import static dev.kopf4j.client.api.ClientExamples.KEX;
import static dev.kopf4j.client.transport.ScriptedTransport.event;
import static dev.kopf4j.client.transport.ScriptedTransport.json;
import static dev.kopf4j.client.transport.ScriptedTransport.line;
import static dev.kopf4j.client.transport.ScriptedTransport.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.ClientExamples;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link ListAndWatchLoop.EarlyWatch}: what happens while a listener takes its time for the pages of a list. */
class EarlyWatchTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(1, ClientExamples.START);
    private final ScriptedTransport transport = new ScriptedTransport(platform);
    private final List<String> log = new ArrayList<>();
    private final List<String> disturbances = new ArrayList<>();
    private final List<String> revivals = new ArrayList<>();
    private boolean early = true;
    private boolean failing;

    /** Takes a minute for each object of a list. */
    private final class SlowListener implements ListAndWatchListener {
        @Override
        public void listStarted() {
            log.add("start");
        }

        @Override
        public boolean watchesWhileListing(String resourceVersion) {
            return early;
        }

        @Override
        public void listed(ObjectNode object) throws InterruptedException {
            log.add("listed " + object.path("metadata").path("name").asString());
            platform.sleep(Duration.ofMinutes(1));
        }

        @Override
        public void listComplete(String resourceVersion) {
            log.add("complete " + resourceVersion);
        }

        @Override
        public void event(WatchEvent event) {
            if (failing) {
                throw new IllegalStateException("a defect of the listener");
            }
            log.add(event.type() + " " + event.name());
        }

        @Override
        public void disturbed(String reason, @Nullable Exception failure) {
            disturbances.add(reason);
        }

        @Override
        public void alive() {
            if (!disturbances.isEmpty()) {
                revivals.add(log.contains("complete 10") ? "later" : "while the list goes on");
            }
        }
    }

    @BeforeEach
    void twoPages() {
        transport.answering(EarlyWatchTest::page);
    }

    private static TransportResponse page(TransportRequest request) {
        boolean last = request.path().contains("continue=");
        return json(
                200,
                "{'metadata':{'resourceVersion':'10','continue':'" + (last ? "" : "more")
                        + "'},'items':[{'metadata':{'name':'" + (last ? "b" : "a") + "'}}]}");
    }

    private Task start() {
        NetworkSettings once = NetworkSettings.DEFAULTS.withErrorBackoffs();
        ListAndWatchLoop loop = new ListAndWatchLoop(
                platform, new KubernetesApi(platform, transport, once), KEX, "ns", new OperatorSettings().watching());
        Task started = platform.spawn("loop", () -> {
            try {
                loop.run(new SlowListener());
            } catch (IllegalStateException e) {
                log.add(String.valueOf(e.getMessage()));
            }
        });
        pass(Duration.ofSeconds(61));
        return started;
    }

    private void pass(Duration time) {
        platform.runFor(time);
    }

    private void changed(PushedResponseStream watch, String name) {
        event(watch, "MODIFIED", "{'metadata':{'name':'" + name + "','resourceVersion':'11'}}");
        pass(Duration.ofMillis(1));
    }

    @Test
    @Tag("M62")
    void changesComeWhileTheSecondPageIsTaken() {
        start();
        assertThat(transport.requests().getLast()).contains("watch=true", "resourceVersion=10&");
        PushedResponseStream watch = transport.takeWatch();
        changed(watch, "z");
        assertThat(log).containsExactly("start", "listed a", "listed b", "MODIFIED z");
        pass(Duration.ofMinutes(1));
        changed(watch, "y");
        assertThat(log).endsWith("MODIFIED z", "complete 10", "MODIFIED y");
        assertThat(transport.watchCount()).as("the same watch goes on").isEqualTo(1);
    }

    @Test
    void nothingIsWatchedEarlyIfTheListenerDoesNotWant() {
        early = false;
        start();
        assertThat(transport.watchCount()).isZero();
        pass(Duration.ofMinutes(1));
        assertThat(transport.watchCount()).isEqualTo(1);
    }

    @Test
    void everythingIsListedAnewAfterTheEndOfAWatchThatCannotGoOn() {
        start();
        event(transport.takeWatch(), "ERROR", "{'kind':'Status','code':410,'reason':'Expired'}");
        pass(Duration.ofSeconds(62));
        assertThat(log).containsExactly("start", "listed a", "listed b", "complete 10", "start", "listed a");
    }

    @Test
    void theWatchEndsWithAListThatFails() {
        transport.answering(request ->
                request.path().contains("continue=") ? status(500, "InternalError", "no such luck") : page(request));
        start();
        assertThat(log).containsExactly("start", "listed a", "start", "listed a");
        assertThat(transport.takeWatch().isClosed()).isTrue();
        assertThat(transport.watchCount()).isEqualTo(1);
    }

    @Test
    void afterADefectOfTheListenerAllIsListedAnew() {
        failing = true;
        Task loop = start();
        changed(transport.takeWatch(), "z");
        pass(Duration.ofMinutes(2));
        assertThat(loop.isFinished()).isFalse();
        assertThat(log).containsSubsequence("complete 10", "start", "listed a");
    }

    /** The rest of the list may take as long as the handlers of its objects. */
    @Test
    void aDefectOfTheListenerIsToldAtOnceAndOnce() {
        failing = true;
        start();
        changed(transport.takeWatch(), "z");
        assertThat(log).doesNotContain("complete 10");
        assertThat(disturbances).containsExactly("an unexpected error");
        pass(Duration.ofMinutes(2));
        assertThat(log).containsSubsequence("complete 10", "start", "listed a");
        assertThat(revivals).as("a page brings nobody back who watches").containsOnly("later");
        assertThat(disturbances).containsExactly("an unexpected error");
    }

    /** As a gateway answers that drops the query {@code watch=true}. */
    @Test
    void aWatchThatBringsNoEventsStaysToldWhileTheListGoesOn() {
        start();
        line(transport.takeWatch(), "{\"kind\":\"KopfExampleList\",\"items\":[]}");
        pass(Duration.ofMillis(1));
        assertThat(disturbances).containsExactly("watching failed");
        pass(Duration.ofSeconds(118));
        assertThat(log).contains("complete 10");
        assertThat(revivals).doesNotContain("while the list goes on");
    }

    @Test
    void theWatchEndsWithTheLoop() {
        Task loop = start();
        loop.interrupt();
        pass(Duration.ofMillis(1));
        assertThat(loop.isFinished()).isTrue();
        assertThat(platform.describeTasks()).isEmpty();
    }
}
