package dev.kopf4j.engine.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.observation.CrdObserver.CrdState;
import dev.kopf4j.engine.observation.CrdObserver.CrdState.ServedVersion;
import dev.kopf4j.engine.observation.CrdObserver.CrdState.Stage;
import dev.kopf4j.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link CrdObserver}: which changes of CRDs it reports. */
class CrdObserverTest {
    private final List<Object> notices = new ArrayList<>();
    private final CrdObserver observer = new CrdObserver(
            new CrdObserver.Listener() {
                @Override
                public void expect(CrdState crdState) {
                    notices.add(crdState);
                }

                @Override
                public void allExpected(Set<String> names) {
                    notices.add("(all) " + names);
                }
            },
            new DeclaredFields(new HandlerRegistry(List.of())));

    @Test
    void looksAgainAfterTheFirstListAndEachOther() {
        observer.listStarted();
        observer.listed(definition("True"));
        assertThat(notices).isEmpty();
        observer.listComplete("1");
        observer.listStarted();
        observer.listComplete("2");
        assertThat(notices)
                .containsExactly(examples(Stage.ESTABLISHED, "v1"), "(all) [kopfexamples.kopf.dev]", "(all) []");
    }

    @Test
    void expectsNothingOfADefinitionThatIsNotEstablished() {
        observer.event(WatchEvent.of(WatchEvent.Type.ADDED, definition("False")));
        assertThat(notices).containsExactly(examples(Stage.NEW));
    }

    @Test
    void expectsTheServedVersionsOfAnEstablishedDefinition() {
        observer.event(WatchEvent.of(WatchEvent.Type.MODIFIED, definition("True")));
        assertThat(notices).containsExactly(examples(Stage.ESTABLISHED, "v1"));
    }

    @Test
    void expectsADeletedDefinitionToBeGone() {
        observer.event(WatchEvent.of(WatchEvent.Type.DELETED, definition("True")));
        assertThat(notices).containsExactly(examples(Stage.DELETED));
    }

    @Test
    void tellsThatADefinitionIsBeingDeleted() {
        ObjectNode definition = definition("True");
        definition.putObject("metadata").put("deletionTimestamp", "2020-01-01T00:00:00Z");
        observer.event(WatchEvent.of(WatchEvent.Type.MODIFIED, definition));
        assertThat(notices).containsExactly(examples(Stage.TERMINATING));
    }

    private static CrdState examples(Stage stage, String... versions) {
        return new CrdState(
                "kopf.dev",
                "kopfexamples",
                stage,
                Stream.of(versions)
                        .map(version -> new ServedVersion(
                                version, "Example", "Cluster", Set.of("ex"), Set.of(), Set.of("scale")))
                        .collect(Collectors.toSet()));
    }

    @Test
    void goesByTheNamesThatAreAcceptedNotByThoseThatAreWanted() {
        ObjectNode definition = definition("True");
        ((ObjectNode) definition.path("status"))
                .set("acceptedNames", Json.parse("{\"plural\": \"kopfexamples\", \"kind\": \"Example\"}"));
        assertThat(CrdState.of(definition, false).served())
                .containsExactly(new ServedVersion("v1", "Example", "Cluster", Set.of(), Set.of(), Set.of("scale")));
    }

    private static ObjectNode definition(String established) {
        return (ObjectNode) Json.parse("""
                {"spec": {"group": "kopf.dev", "scope": "Cluster",
                          "names": {"plural": "kopfexamples", "kind": "Example", "shortNames": ["ex"]},
                          "versions": [{"name": "v1", "served": true, "subresources": {"scale": {}}}, {"name": "v0", "served": false}]},
                 "status": {"conditions": [{"type": "Established", "status": "%s"}]}}
                """.formatted(established));
    }
}
