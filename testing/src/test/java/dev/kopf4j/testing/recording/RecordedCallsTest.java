package dev.kopf4j.testing.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class RecordedCallsTest {
    private static ObjectNode body(String uid, String data) {
        ObjectNode body = Json.object();
        body.putObject("metadata").put("uid", uid);
        return body.put("data", data);
    }

    /** A year of a timer has half a million calls. */
    @Test
    void callsForAnObjectThatRestsHaveOneBody() {
        RecordedCalls calls = new RecordedCalls();
        ObjectNode first = calls.shared(body("x", "a"));
        assertThat(calls.shared(body("y", "a"))).isNotSameAs(first);
        assertThat(calls.shared(body("x", "a"))).isSameAs(first);
        ObjectNode changed = calls.shared(body("x", "b"));
        assertThat(changed).isEqualTo(body("x", "b"));
        assertThat(calls.shared(body("x", "b"))).isSameAs(changed);
    }
}
