package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.daemon.LiveObject.LiveBody;
import dev.kopf4j.json.Json;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link LiveBody}: the views of a daemon show the newest state. */
class LiveBodyTest {
    private final LiveBody live = new LiveBody();

    private static ObjectNode body(String version) {
        ObjectNode body = Json.object();
        body.putObject("metadata").put("resourceVersion", version);
        return body;
    }

    /** The last daemon may end between the question whether there is a state and the look at it. */
    @Test
    void aSnapshotStaysThoughTheStateIsReplacedAndForgottenMeanwhile() {
        live.become(body("1"));
        Supplier<ObjectNode> snapshot = Objects.requireNonNull(live.snapshot());
        live.become(body("2"));
        live.forget();
        assertThat(snapshot.get()).isEqualTo(body("1"));
    }

    @Test
    void whatIsForgottenHasNoSnapshot() {
        assertThat(live.snapshot()).isNull();
        live.become(body("1"));
        live.forget();
        assertThat(live.snapshot()).isNull();
        assertThat(live.node()).isEqualTo(Json.object());
    }

    @Test
    void olderStatesDoNotTakeThePlaceOfNewerOnes() {
        live.become(body("10"));
        assertThat(live.becomeIfNewer(body("9"))).isFalse();
        assertThat(live.becomeIfNewer(body("10"))).isFalse();
        assertThat(live.node()).isEqualTo(body("10"));
        assertThat(live.becomeIfNewer(body("11"))).isTrue();
        assertThat(live.node()).isEqualTo(body("11"));
    }
}
