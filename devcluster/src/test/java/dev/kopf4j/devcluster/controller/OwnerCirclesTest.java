package dev.kopf4j.devcluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Objects that own each other in a circle. Tests {@link GarbageCollector}. */
class OwnerCirclesTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private final InMemory cluster = new InMemory(options -> options);

    private String create(String name) {
        return cluster.json("POST", MAPS, "metadata: {name: " + name + "}")
                .at("/metadata/uid")
                .asString();
    }

    private void own(String name, String owner, String uid) {
        cluster.send("PATCH", MAPS + "/" + name, """
                {"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"%s","uid":"%s",
                "blockOwnerDeletion":true,"controller":true}]}}
                """.formatted(owner, uid));
    }

    @Test
    void theyGoTogetherWhenOneIsDeletedInTheForeground() {
        String first = create("first");
        String second = create("second");
        String third = create("third");
        own("first", "third", third);
        own("second", "first", first);
        own("third", "second", second);
        cluster.send("DELETE", MAPS + "/first?propagationPolicy=Foreground", "");
        JsonNode left = cluster.get(MAPS).path("items");
        assertThat(left.size()).as("%s", left).isZero();
    }

    @Test
    void whatAnotherOwnerKeepsIsLeftByTheOneThatWaits() {
        String going = create("going");
        String staying = create("staying");
        create("kept");
        cluster.send("PATCH", MAPS + "/kept", """
                {"metadata":{"ownerReferences":[
                {"apiVersion":"v1","kind":"ConfigMap","name":"going","uid":"%s","blockOwnerDeletion":true},
                {"apiVersion":"v1","kind":"ConfigMap","name":"staying","uid":"%s"}]}}
                """.formatted(going, staying));
        cluster.send("DELETE", MAPS + "/going?propagationPolicy=Foreground", "");
        assertThat(cluster.get(MAPS)
                        .path("items")
                        .valueStream()
                        .map(each -> each.at("/metadata/name").asString()))
                .containsExactly("kept", "staying");
        assertThat(cluster.get(MAPS + "/kept").at("/metadata/ownerReferences").toString())
                .contains("staying")
                .doesNotContain("going");
    }
}
