package dev.kopf4j.engine.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.client.WatchEvent;
import dev.kopf4j.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class CrdObserverTest {
    private final List<String> rescans = new ArrayList<>();
    private final CrdObserver observer = new CrdObserver(group -> rescans.add(group == null ? "(all)" : group));

    @Test
    void looksAgainAfterTheFirstListAndEachOther() {
        observer.listed(Json.object());
        assertThat(rescans).isEmpty();
        observer.listComplete("1");
        observer.listComplete("2");
        assertThat(rescans).containsExactly("(all)", "(all)");
    }

    @Test
    void looksAtTheGroupOfADefinitionThatHasChanged() {
        ObjectNode definition = (ObjectNode) Json.parse("{\"spec\":{\"group\":\"kopf.dev\"}}");
        observer.event(new WatchEvent(WatchEvent.Type.MODIFIED, "MODIFIED", definition));
        assertThat(rescans).containsExactly("kopf.dev");
    }
}
