package dev.kopf4j.persistence.conventions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.kopf4j.persistence.conventions.AnnotationKeys.AnnotationNames;
import dev.kopf4j.persistence.conventions.AnnotationRecords.UnreadableStateListener;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link AnnotationKeys}. The expected names were computed in Python, the way Kopf hashes them. */
class AnnotationKeysTest {
    private static final String KOPF = "kopf.zalando.org";
    private static final String MINE = "my-operator.example.com";
    private static final String SMILE = "😀";

    static Stream<Arguments> sameInBothVersions() {
        return Stream.of(
                arguments(KOPF, "create_fn", "create_fn"),
                arguments(KOPF, "create_fn/spec.field", "create_fn.spec.field"),
                arguments(KOPF, "outer.<locals>.inner", "outer._locals_.inner"),
                arguments(KOPF, "ünïcode fn!", "ünïcode fn!"),
                arguments(KOPF, "x".repeat(46), "x".repeat(46)),
                arguments(MINE, "a_b.c-d/e", "a_b.c-d.e"));
    }

    @Tag("D06")
    @Tag("D08")
    @ParameterizedTest
    @MethodSource("sameInBothVersions")
    void usesOneNameWhereBothVersionsAgree(String prefix, String key, String name) {
        assertThat(new AnnotationKeys(prefix).keys(key, SampleBodies.example())).containsExactly(prefix + "/" + name);
    }

    static Stream<Arguments> differentByVersion() {
        return Stream.of(
                arguments(KOPF, "x".repeat(47), "x".repeat(47), "x".repeat(39) + "-xRCOAQ"),
                arguments(KOPF, "x".repeat(63), "x".repeat(63), "x".repeat(39) + "-GINbRg"),
                arguments(KOPF, "x".repeat(64), "x".repeat(56) + "-SItAqA", "x".repeat(39) + "-SItAqA"),
                arguments(
                        KOPF,
                        "create_fn/task_" + "a".repeat(60),
                        "create_fn.task_" + "a".repeat(41) + "-hEjESg",
                        "create_fn.task_" + "a".repeat(24) + "-ZNSBXg"),
                arguments(MINE, "x".repeat(40), "x".repeat(40), "x".repeat(32) + "-tEokcg"),
                arguments(MINE, "fn".repeat(323), "fn".repeat(28) + "-Az-r.g", "fn".repeat(16) + "-Az-r.g"),
                // characters beyond 16 bits count as one
                arguments(KOPF, SMILE.repeat(47), SMILE.repeat(47), SMILE.repeat(39) + "-w-PqHA"),
                arguments(KOPF, SMILE.repeat(64), SMILE.repeat(56) + "-j8nWkg", SMILE.repeat(39) + "-j8nWkg"),
                arguments(KOPF, "ż/".repeat(40), "ż.".repeat(28) + "-IHZX1g", "ż.".repeat(19) + "ż-yq.kAg"),
                // prefixes that leave too little room for the older names
                arguments("p".repeat(55), "create_fn", "create_fn", "-AZjFuA"),
                arguments(
                        "p".repeat(58),
                        "create_fn_with_a_longer_name",
                        "create_fn_with_a_longer_name",
                        "create_fn_with_a_longer_n-kY4siA"),
                arguments("p".repeat(62), "create_fn", "create_fn", "cr-AZjFuA"),
                arguments("p".repeat(62), "x".repeat(30), "x".repeat(30), "x".repeat(23) + "-6QzZeA"),
                arguments("p".repeat(82), "create_fn", "create_fn", "-AZjFuA"));
    }

    @Tag("D06")
    @Tag("D07")
    @ParameterizedTest
    @MethodSource("differentByVersion")
    void usesTheNewerNameFirstAndTheOlderOneToo(String prefix, String key, String newer, String older) {
        ObjectNode body = SampleBodies.example();
        assertThat(new AnnotationKeys(prefix, true).keys(key, body))
                .containsExactly(prefix + "/" + newer, prefix + "/" + older);
        assertThat(new AnnotationKeys(prefix, false).keys(key, body)).containsExactly(prefix + "/" + newer);
    }

    @Tag("D06")
    @ParameterizedTest
    @CsvSource({"touch-dummy,-EHvanA", "create_fn,-AZjFuA", "create_fn/spec.field,-06aqKw"})
    void hashesIntoASuffix(String key, String suffix) {
        assertThat(AnnotationNames.suffix(key)).isEqualTo(suffix);
    }

    @Tag("D09")
    @Test
    void marksReplicaSetsOfDeployments() {
        AnnotationKeys keys = new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX);
        assertThat(keys.keys("create_1", SampleBodies.replicaSetOfDeployment()))
                .containsExactly("kopf.zalando.org/create_1-ofDRS");
        assertThat(keys.keys("x".repeat(63), SampleBodies.replicaSetOfDeployment())
                        .getFirst())
                .isEqualTo("kopf.zalando.org/" + "x".repeat(56) + AnnotationNames.suffix("x".repeat(63) + "-ofDRS"));
    }

    @Tag("D09")
    @Test
    void marksNothingElse() {
        AnnotationKeys keys = new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX);
        ObjectNode otherKind = SampleBodies.replicaSetOfDeployment().put("kind", "Pod");
        ObjectNode otherOwner = SampleBodies.with(
                SampleBodies.replicaSetOfDeployment(), "metadata.ownerReferences", "[{'kind':'Rollout'}]");
        ObjectNode noOwner = SampleBodies.example().put("kind", "ReplicaSet");
        for (ObjectNode body : new ObjectNode[] {otherKind, otherOwner, noOwner}) {
            assertThat(keys.keys("fn", body)).containsExactly("kopf.zalando.org/fn");
        }
    }

    @Tag("D24")
    @Test
    void ownsWhatIsUnderItsPrefix() {
        AnnotationKeys keys = new AnnotationKeys("op.example.com");
        assertThat(keys.owns("op.example.com/fn")).isTrue();
        assertThat(keys.owns("op.example.com")).isFalse();
        assertThat(keys.owns("op.example.community/fn")).isFalse();
        assertThat(keys.owns("sub.op.example.com/fn")).isFalse();
    }

    @Tag("D24")
    @Test
    void refusesToGoWithoutPrefixAndWarnsOfLongOnes() {
        assertThatIllegalArgumentException().isThrownBy(() -> new AnnotationKeys(""));
        assertThat(AnnotationKeys.prefixWarning("p".repeat(189))).isEmpty();
        assertThat(AnnotationKeys.prefixWarning("p".repeat(190)).orElseThrow()).contains("has 190 characters");
    }

    /** Ids of sub-handlers are read from objects: they may be made up, of any number and length. */
    @Test
    void namesOfLongKeysAreNotRememberedAndManyKeysLeaveRoomForThoseInUse() {
        AnnotationRecords records = new AnnotationRecords(
                new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), UnreadableStateListener.LOGGED);
        ObjectNode body = SampleBodies.example();
        String forged = "x".repeat(240_000);
        assertThat(records.names(forged, body)).isNotSameAs(records.names(forged, body));
        IntStream.range(0, 5000).forEach(i -> records.names("forged-" + i, body));
        assertThat(records.names("create_fn", body)).isSameAs(records.names("create_fn", body));
    }
}
