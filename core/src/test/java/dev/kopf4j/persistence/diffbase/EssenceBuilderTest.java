package dev.kopf4j.persistence.diffbase;

import static dev.kopf4j.persistence.conventions.SampleBodies.annotated;
import static dev.kopf4j.persistence.conventions.SampleBodies.example;
import static dev.kopf4j.persistence.conventions.SampleBodies.json;
import static dev.kopf4j.persistence.conventions.SampleBodies.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.progress.AnnotationsProgressStorage;
import dev.kopf4j.persistence.progress.MultiProgressStorage;
import dev.kopf4j.persistence.progress.StatusProgressStorage;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class EssenceBuilderTest {
    @Tag("D03")
    @Test
    void keepsPayloadLabelsAndAnnotations() {
        ObjectNode body = example();
        with(body, "status", "{'phase':'A'}");
        with(body, "data", "{'k':'v'}");
        with(body, "rules", "[1]");
        with(body, "metadata.labels", "{'l':'1'}");
        with(body, "metadata.finalizers", "['f']");
        annotated(body, "example.com/a", "1");
        annotated(body, "plain", "2");
        assertThat(essence(body))
                .isEqualTo(json("{'spec':{'field':'a'},'data':{'k':'v'},'rules':[1],"
                        + "'metadata':{'labels':{'l':'1'},'annotations':{'example.com/a':'1','plain':'2'}}}"));
    }

    @Tag("D03")
    @Test
    void leavesOutWhatKubectlApplied() {
        ObjectNode body = annotated(example(), "kubectl.kubernetes.io/last-applied-configuration", "{}");
        assertThat(essence(body)).isEqualTo(json("{'spec':{'field':'a'}}"));
    }

    @Tag("D03")
    @Test
    void removesEmptyStanzasButNoEmptyPayload() {
        ObjectNode body =
                json("{'kind':'K','metadata':{'name':'x','labels':{},'annotations':{}},'spec':{},'status':{}}");
        assertThat(essence(body, "status")).isEqualTo(json("{'spec':{}}"));
        assertThat(essence(json("{'metadata':{'labels':{'a':'b'},'annotations':{}}}")))
                .isEqualTo(json("{'metadata':{'labels':{'a':'b'}}}"));
    }

    @Tag("D11")
    @Test
    void leavesOutAnnotationsOfKopfLikeOperators() {
        ObjectNode body = example();
        Stream.of(
                        "marked.example.com/kopf-managed",
                        "marked.example.com/other",
                        "kopf.zalando.org/fn",
                        "sub.kopf.zalando.org/fn",
                        "kopf.zalando.org/a/b",
                        "/kopf-managed")
                .forEach(name -> annotated(body, name, "yes"));
        Stream.of(
                        "kopf.dev/fn",
                        "notkopf.zalando.org/fn",
                        "kopf-managed",
                        "marked.example.com",
                        "marked.example.com.org/x")
                .forEach(name -> annotated(body, name, "kept"));
        assertThat(essence(body).path("metadata").path("annotations").propertyNames())
                .containsExactly(
                        "kopf.dev/fn",
                        "notkopf.zalando.org/fn",
                        "kopf-managed",
                        "marked.example.com",
                        "marked.example.com.org/x");
    }

    @Tag("D04")
    @Test
    void restoresExtraFields() {
        ObjectNode body = with(example(), "status", "{'phase':'A','other':{'x':1,'y':2}}");
        assertThat(essence(body, "status.phase", "status.other.x", "status.absent", "spec.field", "metadata.uid"))
                .isEqualTo(
                        json("{'spec':{'field':'a'},'metadata':{'uid':'u1'},'status':{'phase':'A','other':{'x':1}}}"));
    }

    @Tag("D04")
    @Test
    void bringsBackDroppedAnnotationsWithTheirParent() {
        ObjectNode body = annotated(example(), "kopf.zalando.org/fn", "yes");
        assertThat(essence(body, "metadata.annotations").path("metadata"))
                .isEqualTo(json("{'annotations':{'kopf.zalando.org/fn':'yes'}}"));
        assertThat(essence(body, "metadata", "metadata.annotations").path("metadata"))
                .isEqualTo(body.get("metadata"));
    }

    @Tag("D04")
    @Test
    void toleratesExtraFieldsInsideOfWhatIsNoObject() {
        ObjectNode body = with(example(), "status", "'text'");
        assertThat(essence(body, "status.phase", "spec.field.x")).isEqualTo(json("{'spec':{'field':'a'}}"));
    }

    @Tag("D05")
    @Test
    void leavesOutIgnoredFieldsWithEmptiedParents() {
        ObjectNode body = json("{'spec':{'a':{'b':1},'c':{'d':1,'e':2},'t':'text'},'data':{}}");
        EssenceBuilder builder = new EssenceBuilder(List.of(
                FieldPath.parse("spec.a.b"),
                FieldPath.parse("spec.c.d"),
                FieldPath.parse("spec.t.inside"),
                FieldPath.parse("spec.absent"),
                FieldPath.parse("status.phase")));
        assertThat(builder.build(body, List.of())).isEqualTo(json("{'spec':{'c':{'e':2},'t':'text'},'data':{}}"));
    }

    @Tag("D05")
    @Test
    void ignoresFieldsEvenIfTheyAreExtraOnes() {
        ObjectNode body = with(example(), "status", "{'a':1,'b':2}");
        EssenceBuilder builder =
                new EssenceBuilder(List.of(FieldPath.parse("status.a"), FieldPath.parse("spec.field")));
        assertThat(builder.build(body, List.of(FieldPath.of("status")))).isEqualTo(json("{'status':{'b':2}}"));
        assertThatIllegalArgumentException().isThrownBy(() -> new EssenceBuilder(List.of(FieldPath.ROOT)));
    }

    /** Essences share nodes with bodies, so that each way to prune one is tried on bodies that nobody may change. */
    @Tag("D03")
    @ParameterizedTest
    @ValueSource(strings = {"spec.a", "status.a", "metadata.labels", "metadata.annotations.x/y", "metadata", "status"})
    void neverChangesTheBody(String field) {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            ObjectNode body = object(random, 3);
            body.set("spec", object(random, 3));
            body.set("status", object(random, 3));
            body.putObject("metadata").set("labels", object(random, 3));
            with(
                    body,
                    "metadata.annotations",
                    "{'x/y':'1','kopf.zalando.org/z':'2','op.example.com/kopf-managed':'yes'}");
            String before = Json.text(body);
            EssenceBuilder builder =
                    new EssenceBuilder(List.of(FieldPath.parse("spec.a"), FieldPath.parse("status.b.c")));
            ObjectNode essence = builder.build(body, List.of(FieldPath.parse(field)));
            String built = Json.text(essence);
            MultiProgressStorage.smart(
                            new AnnotationsProgressStorage(new AnnotationKeys("x"), "touch-dummy", false),
                            new StatusProgressStorage(FieldPath.parse("status.a"), FieldPath.parse("status.d")))
                    .clear(essence);
            assertThat(Json.text(body)).as("with seed %d", seed).isEqualTo(before);
            assertThat(Json.text(essence)).as("with seed %d", seed).isEqualTo(built);
        }
    }

    /** An object of few keys, so that the fields that are looked for are often there. */
    private static ObjectNode object(Random random, int depth) {
        ObjectNode object = Json.object();
        for (int count = random.nextInt(5); count > 0; count--) {
            String key = List.of("a", "b", "c", "x/y", "d", "").get(random.nextInt(6));
            switch (random.nextInt(depth > 1 ? 5 : 2)) {
                case 0 -> object.putNull(key);
                case 1 -> object.put(key, random.nextLong());
                case 2 -> object.putArray(key).add(object(random, depth - 1));
                default -> object.set(key, object(random, depth - 1));
            }
        }
        return object;
    }

    private static ObjectNode essence(ObjectNode body, String... extraFields) {
        return new EssenceBuilder(List.of())
                .build(body, Stream.of(extraFields).map(FieldPath::parse).toList());
    }
}
