package dev.kopf4j.engine.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Reason;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.diffbase.AnnotationsDiffBaseStorage;
import dev.kopf4j.persistence.progress.AnnotationsProgressStorage;
import dev.kopf4j.persistence.progress.MultiProgressStorage;
import dev.kopf4j.persistence.progress.StatusProgressStorage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link CauseDetector}: what an event and the stored state say has happened. */
class CauseDetectorTest {
    private static final Finalizer FINALIZER = new Finalizer("f");
    private static final CauseDetector DETECTOR = new CauseDetector(
            new AnnotationsDiffBaseStorage(
                    new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "last-handled-configuration", List.of(), false),
            MultiProgressStorage.smart(
                    new AnnotationsProgressStorage(
                            new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "touch-dummy", false),
                    new StatusProgressStorage(
                            FieldPath.parse("status.kopf.progress"), FieldPath.parse("status.kopf.dummy"))),
            FINALIZER,
            UnaryOperator.identity());

    private static ObjectNode json(String text) {
        return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static ObjectNode body(boolean stored, boolean changed, boolean deleting, boolean held) {
        ObjectNode body = json("{'metadata':{'name':'x'},'spec':{'a':1}}");
        ObjectNode metadata = (ObjectNode) body.get("metadata");
        if (stored) {
            metadata.putObject("annotations")
                    .put(
                            "kopf.zalando.org/last-handled-configuration",
                            changed ? "{\"spec\":{\"a\":2}}\n" : "{\"spec\":{\"a\":1.0}}\n");
        }
        if (deleting) {
            metadata.put("deletionTimestamp", "2020-01-01T00:00:00Z");
        }
        if (held) {
            metadata.putArray("finalizers").add("other").add("f");
        }
        return body;
    }

    @ParameterizedTest
    @Tag("C11")
    @Tag("C02")
    @Tag("C03")
    @Tag("C06")
    @Tag("C07")
    @CsvSource(textBlock = """
            gone,  initial, stored, changed, deleting, held,  reason, mixed
            true,  true,    true,   true,    true,     true,  GONE,   false
            false, true,    true,   true,    true,     false, FREE,   false
            false, true,    true,   true,    true,     true,  DELETE, true
            false, false,   false,  false,   true,     true,  DELETE, false
            false, false,   false,  false,   false,    true,  CREATE, false
            false, true,    false,  false,   false,    false, CREATE, false
            false, true,    true,   false,   false,    false, RESUME, true
            false, false,   true,   false,   false,    true,  NOOP,   false
            false, false,   true,   true,    false,    false, UPDATE, false
            false, true,    true,   true,    false,    false, UPDATE, true
            """, useHeadersInDisplayName = true)
    void tellsWhatHappened(
            boolean gone,
            boolean initial,
            boolean stored,
            boolean changed,
            boolean deleting,
            boolean held,
            Reason reason,
            boolean mixed) {
        Cause cause = DETECTOR.detect(body(stored, changed, deleting, held), gone, initial, List.of());
        assertThat(cause.reason()).isEqualTo(reason);
        assertThat(cause instanceof Cause.Handleable handleable && handleable.initial())
                .isEqualTo(mixed);
    }

    @Test
    void readsNothingThatIsStoredAsItIsNow() {
        ObjectNode body = body(true, true, false, false);
        assertThat(DETECTOR.change(body, List.of()).diff().items()).hasSize(1);
        ((ObjectNode) body.get("spec")).put("a", 2);
        assertThat(DETECTOR.change(body, List.of())).satisfies(change -> {
            assertThat(change.oldEssence()).isSameAs(change.newEssence()).isEqualTo(json("{'spec':{'a':2}}"));
            assertThat(change.diff().isEmpty()).isTrue();
        });
    }

    /** The stored state may be of Kopf, or of an earlier version, and so have the mark, another one, or none. */
    @ParameterizedTest
    @Tag("D01")
    @ValueSource(
            strings = {
                "{'spec':{'a':1}}",
                "{'spec':{'a':1},'metadata':{'annotations':{'kopf4j.dev/applied':'old:1'}}}",
                "{'spec':{'a':1},'metadata':{'annotations':{'kopf4j.dev/applied':'new:2'}}}",
            })
    void theMarkOfAChildIsNoChange(String stored) {
        ObjectNode body = json("{'metadata':{'name':'x','annotations':{'kopf4j.dev/applied':'new:2'}},'spec':{'a':1}}");
        ObjectNode annotations = (ObjectNode) body.at("/metadata/annotations");
        annotations.put("kopf.zalando.org/last-handled-configuration", stored.replace('\'', '"') + "\n");
        List<FieldPath> all = List.of(FieldPath.of("metadata", "annotations"));
        for (List<FieldPath> fields : List.of(List.<FieldPath>of(), all)) {
            assertThat(DETECTOR.essence(body, fields)).isEqualTo(json("{'spec':{'a':1}}"));
            assertThat(DETECTOR.detect(body, false, false, fields).reason()).isEqualTo(Reason.NOOP);
        }
        annotations.put("other", "b");
        assertThat(DETECTOR.change(body, List.of()).diff().items())
                .singleElement()
                .satisfies(item -> assertThat(Json.text(Json.fromJava(item.newValue())))
                        .isEqualTo("{\"annotations\":{\"other\":\"b\"}}"));
    }

    @Test
    @Tag("D29")
    void finalizersOfOthersStayInTheirOrder() {
        ObjectNode body = json("{'metadata':{'finalizers':['a','b']}}");
        FINALIZER.addTo(body);
        assertThat(body).isEqualTo(json("{'metadata':{'finalizers':['a','b','f']}}"));
        FINALIZER.addTo(body);
        assertThat(body).isEqualTo(json("{'metadata':{'finalizers':['a','b','f']}}"));
        FINALIZER.removeFrom(body);
        assertThat(body).isEqualTo(json("{'metadata':{'finalizers':['a','b']}}"));
        FINALIZER.removeFrom(body);
        assertThat(body).isEqualTo(json("{'metadata':{'finalizers':['a','b']}}"));
    }

    @Test
    @Tag("D29")
    void theLastFinalizerTakesItsListAlong() {
        ObjectNode body = json("{'metadata':{'finalizers':['f','f'],'name':'x'}}");
        FINALIZER.removeFrom(body);
        assertThat(body).isEqualTo(json("{'metadata':{'name':'x'}}"));
        ObjectNode bare = json("{}");
        FINALIZER.addTo(bare);
        assertThat(bare).isEqualTo(json("{'metadata':{'finalizers':['f']}}"));
    }

    @ParameterizedTest
    @Tag("D29")
    @CsvSource(
            delimiter = '|',
            value = {"{}", "{'metadata':null}", "{'metadata':{'finalizers':'f'}}", "{'metadata':{'finalizers':[1,{}]}}"
            })
    void garbageHoldsNothing(String body) {
        ObjectNode node = json(body);
        assertThat(FINALIZER.isOn(node)).isFalse();
        FINALIZER.removeFrom(node);
        assertThat(node).isEqualTo(json(body));
    }
}
