package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Index;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnIndex;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnTimer;
import dev.kopf4j.Resource;
import dev.kopf4j.TemporaryException;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A kind that is served in several versions is watched in one, so that no handler's work is lost or done twice. */
@Tag("A12")
class WatchedVersionTest {
    private static final String BOTH = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: things.ex.dev}
            spec:
              group: ex.dev
              scope: Namespaced
              names: {kind: Thing, plural: things, singular: thing}
              versions:
              - {name: v1, served: true, storage: true, schema: &any {openAPIV3Schema: {type: object}}}
              - {name: v2, served: true, storage: false, schema: *any}
            """;
    private static final int OBJECTS = 6;

    private static void make(TestCluster cluster) {
        for (int i = 0; i < OBJECTS; i++) {
            cluster.apply("{apiVersion: ex.dev/v1, kind: Thing, metadata: {name: t" + i + "}}");
        }
    }

    private static NonNamespaceOperation<?, ?, ?> things(KubernetesClient client) {
        return client.genericKubernetesResources("ex.dev/v1", "Thing").inNamespace("default");
    }

    /** Each version has a handler of its own for the deletion. */
    static class OfTwoVersions {
        @OnCreate("things.v1.ex.dev")
        @OnCreate("things.v2.ex.dev")
        void create() {}

        @OnDelete("things.v1.ex.dev")
        void delete1() {}

        @OnDelete("things.v2.ex.dev")
        void delete2(int retry) {
            if (retry < 2) {
                throw new TemporaryException("not yet", Duration.ofSeconds(5));
            }
        }
    }

    @Test
    @KopfTest(value = OfTwoVersions.class, time = TestTime.VIRTUAL, reraise = false)
    void handlersOfAnotherVersionTakeNoDeletionAway(
            TestCluster cluster, TestClock clock, TestedOperator operator, KubernetesClient client) {
        cluster.apply(BOTH);
        clock.advance(Duration.ofSeconds(5));
        make(cluster);
        clock.advance(Duration.ofSeconds(10));
        assertThat(operator.calls("create")).hasSize(OBJECTS);
        things(client).delete();
        clock.advance(Duration.ofMinutes(1));
        assertThat(operator.calls("delete2")).hasSize(3 * OBJECTS);
        assertThat(operator.calls("delete1")).isEmpty();
        assertThat(operator.output())
                .contains("K4-030: things.v2.ex.dev is watched, and so no other version of it, but handlers are"
                        + " for v1: not called are 'delete1': let all handlers of it name one version, or none;");
    }

    /** A class of resources, and a name. */
    static class OfAllVersions {
        static boolean isOurs(Resource resource) {
            return resource.group().equals("ex.dev");
        }

        @OnIndex(resourceWhen = "isOurs")
        Map<String, String> versions(String name, Resource resource) {
            return Map.of(name, resource.version());
        }

        @OnResume(resourceWhen = "isOurs")
        void resume() {}

        @OnTimer(value = "things", interval = "8m")
        void tick(String name, Index<String, String> versions) {
            assertThat(versions.get(name)).containsExactly("v1");
        }
    }

    @Test
    @KopfTest(value = OfAllVersions.class, time = TestTime.VIRTUAL)
    void aSecondVersionThatComesIsNotWatchedAsLongAsTheFirstOneIsServed(
            TestCluster cluster, TestClock clock, TestedOperator operator) {
        cluster.apply(BOTH.replace("v2, served: true", "v2, served: false"));
        clock.advance(Duration.ofSeconds(5));
        make(cluster);
        clock.advance(Duration.ofMinutes(1));
        cluster.apply(BOTH);
        clock.advance(Duration.ofMinutes(10));
        assertThat(operator.calls("tick")).hasSize(2 * OBJECTS);
        assertThat(operator.calls("resume")).isEmpty();
    }

    @Test
    @KopfTest(value = OfTwoVersions.class, time = TestTime.VIRTUAL)
    void theOtherVersionIsWatchedWhenOneIsNotServedAnyMore(
            TestCluster cluster, TestClock clock, TestedOperator operator, KubernetesClient client) {
        cluster.apply(BOTH);
        clock.advance(Duration.ofSeconds(5));
        make(cluster);
        clock.advance(Duration.ofSeconds(10));
        cluster.apply(BOTH.replace("v2, served: true", "v2, served: false"));
        clock.advance(Duration.ofMinutes(10));
        things(client).delete();
        clock.advance(Duration.ofMinutes(1));
        assertThat(operator.calls("create")).hasSize(OBJECTS);
        assertThat(operator.calls("delete1")).hasSize(OBJECTS);
        assertThat(operator.calls("delete2")).isEmpty();
    }

    private static final String ONLY_FIRST = BOTH.replace("v2, served: true", "v2, served: false");

    /** Events and timers of one version each, and changes of any. */
    static class WithEventsOfEach {
        @OnCreate("things")
        void create() {}

        @OnDelete("things")
        void delete() {}

        @OnEvent("things.v1.ex.dev")
        void event1() {}

        @OnEvent("things.v2.ex.dev")
        void event2() {}
    }

    @Test
    @KopfTest(value = WithEventsOfEach.class, time = TestTime.VIRTUAL)
    void changesStayWithTheirVersionHoweverOftenDefinitionsChange(
            TestCluster cluster, TestClock clock, TestedOperator operator, KubernetesClient client) {
        cluster.apply(ONLY_FIRST);
        clock.advance(Duration.ofSeconds(5));
        cluster.apply(BOTH);
        clock.advance(Duration.ofSeconds(30));
        cluster.apply(BOTH.replace("singular: thing}", "singular: thing, shortNames: [th]}"));
        clock.advance(Duration.ofSeconds(30));
        make(cluster);
        clock.advance(Duration.ofSeconds(30));
        assertThat(operator.calls("create")).hasSize(OBJECTS);
        assertThat(operator.calls("event1")).isNotEmpty();
        assertThat(operator.calls("event2")).isNotEmpty();
        things(client).delete();
        clock.advance(Duration.ofMinutes(1));
        assertThat(operator.calls("delete")).hasSize(OBJECTS);
        assertThat(operator.output()).doesNotContain("K4-024", "K4-030");
    }

    @Test
    @KopfTest(value = WithEventsOfEach.class, time = TestTime.VIRTUAL)
    void changesGoOverToAVersionWhoseEventsAreWatchedAlready(
            TestCluster cluster, TestClock clock, TestedOperator operator, KubernetesClient client) {
        cluster.apply(BOTH);
        clock.advance(Duration.ofSeconds(30));
        cluster.apply(ONLY_FIRST);
        clock.advance(Duration.ofMinutes(10));
        make(cluster);
        clock.advance(Duration.ofSeconds(30));
        assertThat(operator.calls("create")).hasSize(OBJECTS);
        things(client).delete();
        clock.advance(Duration.ofMinutes(1));
        assertThat(operator.calls("delete")).hasSize(OBJECTS);
    }

    /** The timer lets its version have the changes, too, once it is served. */
    static class WithATimerOfTheSecond {
        @OnCreate("things")
        void create() {}

        @OnTimer(value = "things.v2.ex.dev", interval = "1h")
        void tick() {}

        @OnEvent("things.v1.ex.dev")
        void event1() {}
    }

    @Test
    @KopfTest(value = WithATimerOfTheSecond.class, time = TestTime.VIRTUAL)
    void changesAreHandledInOneVersionWhenAnotherOneTakesThemOver(
            TestCluster cluster, TestClock clock, TestedOperator operator) {
        cluster.apply(ONLY_FIRST);
        clock.advance(Duration.ofSeconds(30));
        cluster.apply(BOTH);
        clock.advance(Duration.ofSeconds(30));
        make(cluster);
        clock.advance(Duration.ofMinutes(1));
        assertThat(operator.calls("create")).hasSize(OBJECTS);
        assertThat(operator.calls("tick")).isNotEmpty();
    }
}
