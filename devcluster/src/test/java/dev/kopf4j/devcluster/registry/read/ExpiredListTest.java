package dev.kopf4j.devcluster.registry.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Pages of lists whose version has been compacted. */
class ExpiredListTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @Test
    void theListMayGoOnByTheTokenInTheAnswer() {
        InMemory cluster = new InMemory(options -> options);
        for (String name : new String[] {"a", "b", "d"}) {
            cluster.send("POST", MAPS, "metadata: {name: " + name + "}");
        }
        JsonNode first = cluster.get(MAPS + "?limit=2");
        cluster.send("POST", MAPS, "metadata: {name: c}");
        cluster.server().compact();
        JsonNode expired = cluster.get(MAPS + "?limit=2&continue=" + Json.string(first, "metadata", "continue"));
        assertThat(expired.path("code").intValue()).isEqualTo(410);
        assertThat(Json.string(expired, "reason")).isEqualTo("Expired");
        JsonNode rest = cluster.get(MAPS + "?limit=2&continue=" + Json.string(expired, "metadata", "continue"));
        assertThat(rest.path("items").valueStream().map(item -> Json.string(item, "metadata", "name")))
                .containsExactly("c", "d");
    }
}
