package dev.kopf4j.persistence.conventions;

import static dev.kopf4j.persistence.conventions.SampleBodies.annotated;
import static dev.kopf4j.persistence.conventions.SampleBodies.example;
import static dev.kopf4j.persistence.conventions.SampleBodies.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.persistence.conventions.AnnotationSizeLimit.LargeField;
import dev.kopf4j.persistence.diffbase.AnnotationsDiffBaseStorage;
import dev.kopf4j.persistence.diffbase.DiffBasePersistence;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class AnnotationSizeLimitTest {
    @Test
    void countsKeysAndValuesInUtf8() {
        ObjectNode body = annotated(example(), "ké", "vż€😀");
        assertThat(AnnotationSizeLimit.annotationBytes(body, Json.object())).isEqualTo(3 + 1 + 2 + 3 + 4);
    }

    @Test
    void countsWhatThePatchLeaves() {
        ObjectNode body = annotated(annotated(annotated(example(), "kept", "12"), "changed", "1"), "removed", "1234");
        ObjectNode patch = json("{'metadata':{'annotations':{'changed':'123','removed':null,'absent':null,'new':''}}}");
        assertThat(AnnotationSizeLimit.annotationBytes(body, patch))
                .isEqualTo("kept12".length() + "changed123".length() + "new".length());
        assertThat(AnnotationSizeLimit.annotationBytes(example(), Json.object()))
                .isZero();
    }

    @Test
    void allowsExactlyTheLimit() {
        ObjectNode full = annotated(example(), "k", "v".repeat(262_143));
        assertThat(AnnotationSizeLimit.annotationBytes(full, Json.object())).isEqualTo(262_144);
        assertThat(AnnotationSizeLimit.problem(full, Json.object(), json("{'spec':{'a':1}}")))
                .isNull();
        ObjectNode over = annotated(example(), "k", "v".repeat(262_144));
        assertThat(AnnotationSizeLimit.problem(over, Json.object(), Json.object()))
                .contains("262145 bytes");
    }

    @Test
    void namesTheLargestFieldsAndTheWayOut() {
        ObjectNode essence = json("{'spec':{'small':1,'template':{'files':{'big':'" + "x".repeat(300_000)
                + "'},'z':1},'mid':'" + "y".repeat(100) + "'},'items':[1,2,3]}");
        DiffBasePersistence storage = new AnnotationsDiffBaseStorage(
                new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "last-handled-configuration", List.of(), false);
        ObjectNode patch = Json.object();
        storage.store(example(), patch, essence);
        assertThat(LargeField.largestOf(essence))
                .containsExactly(
                        new LargeField(FieldPath.parse("spec.template.files.big"), 300_002),
                        new LargeField(FieldPath.parse("spec.mid"), 102),
                        new LargeField(FieldPath.parse("items"), 7));
        assertThat(AnnotationSizeLimit.problem(example(), patch, essence))
                .startsWith("K4-021: Annotations of KopfExample ns/x would take "
                        + AnnotationSizeLimit.annotationBytes(example(), patch)
                        + " bytes, and Kubernetes allows 262144.")
                .contains("spec.template.files.big (300002 bytes), spec.mid (102 bytes), items (7 bytes)")
                .contains("ignoredFields");
    }

    @Test
    void seesAmpleRoomOnlyWhereTheRecordsFitHoweverTheyAreWritten() {
        List<String> names =
                new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX).keys("last-handled-configuration", example());
        for (String text : List.of("a", "\u0001", "\u20ac", "\ud83d\ude00", "\"")) {
            int ample = 0;
            for (int length = 1; length < AnnotationSizeLimit.BYTES_MAX / 2; length *= 2) {
                ObjectNode essence = Json.object();
                essence.putObject("spec")
                        .put("field", text.repeat(length))
                        .putArray("list")
                        .add(-1e-300)
                        .add(Long.MIN_VALUE);
                ObjectNode patch = Json.object();
                new AnnotationsDiffBaseStorage(
                                new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX),
                                "last-handled-configuration",
                                List.of(),
                                false)
                        .store(example(), patch, essence);
                boolean fits = AnnotationSizeLimit.problem(example(), patch, essence) == null;
                boolean room = AnnotationSizeLimit.hasAmpleRoom(example(), names, essence);
                assertThat(fits || !room).as(text + " x " + length).isTrue();
                ample += room ? 1 : 0;
            }
            assertThat(ample).as(text).isGreaterThan(10);
        }
    }

    @Test
    void seesNoAmpleRoomForNumbersOfAnyLength() {
        ObjectNode essence = Json.object();
        essence.put("spec", new BigDecimal("1E+300000"));

        assertThat(AnnotationSizeLimit.hasAmpleRoom(example(), List.of("a/b"), essence))
                .isFalse();
    }

    @Test
    void seesNoAmpleRoomBesideLargeAnnotations() {
        ObjectNode full = annotated(example(), "x", "v".repeat(AnnotationSizeLimit.BYTES_MAX - 10));

        assertThat(AnnotationSizeLimit.hasAmpleRoom(full, List.of("a/b"), Json.object()))
                .isFalse();
    }
}
