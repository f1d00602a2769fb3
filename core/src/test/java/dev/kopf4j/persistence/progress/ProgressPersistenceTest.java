package dev.kopf4j.persistence.progress;

import static dev.kopf4j.persistence.conventions.SampleBodies.annotated;
import static dev.kopf4j.persistence.conventions.SampleBodies.annotation;
import static dev.kopf4j.persistence.conventions.SampleBodies.example;
import static dev.kopf4j.persistence.conventions.SampleBodies.json;
import static dev.kopf4j.persistence.conventions.SampleBodies.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.conventions.SampleBodies;
import dev.kopf4j.persistence.progress.ProgressRecord.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Tests the implementations of {@link ProgressPersistence}. */
class ProgressPersistenceTest {
    private static final String LONG_ID = "x".repeat(64);
    private static final String NEWER = "/" + "x".repeat(56) + "-SItAqA";
    private static final Instant NEW_YEAR = Instant.parse("2020-01-01T00:00:00Z");
    private static final ProgressRecord RECORD =
            ProgressRecord.fresh(NEW_YEAR, "create").attempted(null, null, new State(false, false, "oops"));
    private static final String TEXT = "{\"started\":\"2020-01-01T00:00:00.000000+00:00\",\"purpose\":\"create\","
            + "\"retries\":1,\"success\":false,\"failure\":false,\"message\":\"oops\"}";

    private final AnnotationsProgressStorage annotations =
            new AnnotationsProgressStorage(new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "touch-dummy", false);
    private final StatusProgressStorage status =
            new StatusProgressStorage(FieldPath.parse("status.kopf.progress"), FieldPath.parse("status.kopf.dummy"));
    private final MultiProgressStorage smart = MultiProgressStorage.smart(
            new AnnotationsProgressStorage(new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "touch-dummy", false),
            new StatusProgressStorage(FieldPath.parse("status.kopf.progress"), FieldPath.parse("status.kopf.dummy")));

    /** More ids than the storage remembers the annotations of; each one twice. */
    @Test
    void keepsTheRecordsOfAnyNumberOfIds() {
        for (int time = 0; time < 2; time++) {
            for (int i = 0; i < 1100; i++) {
                ObjectNode patch = Json.object();
                annotations.store("fn/" + i, RECORD, example(), patch);

                assertThat(patch.at("/metadata/annotations").propertyNames())
                        .containsExactly("kopf.zalando.org/fn." + i);
                assertThat(annotations.fetch("fn/" + i, patch)).isEqualTo(RECORD);
                assertThat(annotations.fetch("fn/" + (i + 1), patch)).isNull();
            }
        }
    }

    @Tag("D17")
    @Test
    void storesTextsInAnnotations() {
        ObjectNode patch = stored(annotations, "create_fn/a", example());
        assertThat(patch.propertyNames()).containsExactly("metadata");
        assertThat(annotation(patch, "kopf.zalando.org/create_fn.a").stringValue())
                .isEqualTo(TEXT);
        assertThat(annotations.fetch("create_fn/a", MergePatch.apply(example(), patch)))
                .isEqualTo(RECORD);
        assertThat(annotations.fetch("create_fn/b", MergePatch.apply(example(), patch)))
                .isNull();
    }

    /**
     * The text is what Kopf has written for this record (June 2026, Python 3.11), but for the fraction of the second.
     */
    @Tag("D17")
    @Test
    void writesTheBytesThatKopfWrites() {
        ProgressRecord record = ProgressRecord.fresh(NEW_YEAR, "create")
                .attempted(null, null, new State(false, true, "gr\u00f6\u00dfer\n\ud83d\ude00\u007f\""))
                .withSubrefs(List.of("fn/\u65e5\u672c"));
        ObjectNode patch = Json.object();
        annotations.store("fn", record, example(), patch);
        assertThat(annotation(patch, "kopf.zalando.org/fn").stringValue())
                .isEqualTo("{\"started\":\"2020-01-01T00:00:00.000000+00:00\",\"purpose\":\"create\",\"retries\":1,"
                        + "\"success\":false,\"failure\":true,\"message\":\"gr\\u00f6\\u00dfer\\n\\ud83d\\ude00\\u007f\\\"\","
                        + "\"subrefs\":[\"fn/\\u65e5\\u672c\"]}");
    }

    @Tag("D15")
    @Test
    void writesNullsIntoAnnotationsWhenVerbose() {
        AnnotationsProgressStorage verbose =
                new AnnotationsProgressStorage(new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "touch-dummy", true);
        assertThat(SampleBodies.parsed(stored(verbose, "fn", example()), "kopf.zalando.org/fn")
                        .propertyNames())
                .containsExactly(
                        "started", "stopped", "delayed", "purpose", "retries", "success", "failure", "message",
                        "subrefs");
    }

    /** As in the golden trace T13. */
    @Tag("D07")
    @Tag("D10")
    @Tag("D24")
    @Test
    void storesBothNamesAndTheMarkerUnderAForeignPrefix() {
        AnnotationsProgressStorage storage =
                new AnnotationsProgressStorage(new AnnotationKeys("op.example.com"), "touch-dummy", false);
        ObjectNode patch = stored(storage, LONG_ID, example());
        String older = "op.example.com/" + "x".repeat(41) + "-SItAqA";
        assertThat(patch.path("metadata").path("annotations").propertyNames())
                .containsExactly("op.example.com" + NEWER, older, "op.example.com/kopf-managed");
        ObjectNode body = MergePatch.apply(example(), patch);
        ObjectNode purge = Json.object();
        storage.purge(LONG_ID, body, purge);
        assertThat(purge)
                .isEqualTo(
                        json("{'metadata':{'annotations':{'op.example.com" + NEWER + "':null,'" + older + "':null}}}"));
    }

    @Tag("D07")
    @Test
    void readsTheNewerNameFirst() {
        String older = "kopf.zalando.org/" + "x".repeat(39) + "-SItAqA";
        ObjectNode body = annotated(example(), older, "{\"retries\":1}");
        assertThat(retries(annotations, LONG_ID, body)).isEqualTo(1);
        annotated(body, "kopf.zalando.org" + NEWER, "{\"retries\":2}");
        assertThat(retries(annotations, LONG_ID, body)).isEqualTo(2);
        annotated(body, "kopf.zalando.org" + NEWER, "null");
        assertThat(retries(annotations, LONG_ID, body)).isEqualTo(1);
        assertThat(retries(
                        new AnnotationsProgressStorage(
                                new AnnotationKeys("kopf.zalando.org", false), "touch-dummy", false),
                        LONG_ID,
                        body))
                .isEqualTo(-1);
    }

    @Tag("D09")
    @Test
    void marksAnnotationsOfReplicaSetsOfDeployments() {
        ObjectNode patch = stored(annotations, "create_1", SampleBodies.replicaSetOfDeployment());
        assertThat(patch.path("metadata").path("annotations").propertyNames())
                .containsExactly("kopf.zalando.org/create_1-ofDRS");
    }

    @Tag("D17")
    @ParameterizedTest
    @ValueSource(strings = {"{broken", "", "[]", "7"})
    void takesGarbageInAnnotationsAsAbsentAndTellsWhere(String garbage) {
        SampleBodies.Heard heard = new SampleBodies.Heard();
        ProgressPersistence storage = new AnnotationsProgressStorage(
                new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "touch-dummy", false, heard);
        assertThat(storage.fetch("fn", annotated(example(), "kopf.zalando.org/fn", garbage)))
                .isNull();
        assertThat(heard.problems)
                .singleElement()
                .asString()
                .startsWith("KopfExample ns/x: annotation kopf.zalando.org/fn: ");
    }

    @Tag("D22")
    @Test
    void purgesByNullsWhatTheObjectHas() {
        ObjectNode body = annotated(annotated(example(), "kopf.zalando.org/fn", "{}"), "kopf.zalando.org/other", "{}");
        ObjectNode patch = json("{'metadata':{'annotations':{'kopf.zalando.org/fn':'{}'}}}");
        annotations.purge("fn", body, patch);
        assertThat(patch).isEqualTo(json("{'metadata':{'annotations':{'kopf.zalando.org/fn':null}}}"));
    }

    @Tag("D22")
    @Test
    void purgesFromThePatchWhatTheObjectHasNot() {
        ObjectNode patch = json("{'metadata':{'annotations':{'kopf.zalando.org/fn':'{}'}},'status':{'a':1}}");
        annotations.purge("fn", example(), patch);
        assertThat(patch).isEqualTo(json("{'status':{'a':1}}"));
        ObjectNode shared = json("{'metadata':{'annotations':{'kopf.zalando.org/fn':'{}','a':'b'}}}");
        annotations.purge("fn", example(), shared);
        assertThat(shared).isEqualTo(json("{'metadata':{'annotations':{'a':'b'}}}"));
    }

    @Tag("D22")
    @Test
    void purgesNothingOfWhatIsNowhere() {
        for (ProgressPersistence storage : List.of(annotations, status, smart)) {
            ObjectNode patch = json("{'status':{}}");
            storage.purge("fn", example(), patch);
            assertThat(patch).isEqualTo(json("{'status':{}}"));
        }
    }

    @Tag("D22")
    @Test
    void purgesEachNameByItself() {
        String older = "kopf.zalando.org/" + "x".repeat(39) + "-SItAqA";
        ObjectNode patch = Json.object();
        annotations.store(LONG_ID, RECORD, example(), patch);
        annotations.purge(LONG_ID, annotated(example(), older, "{}"), patch);
        assertThat(patch).isEqualTo(json("{'metadata':{'annotations':{'" + older + "':null}}}"));
    }

    @Tag("D21")
    @Test
    void touchesOnlyWhatDiffers() {
        ObjectNode touched = annotated(example(), "kopf.zalando.org/touch-dummy", "t1");
        assertThat(touch(annotations, touched, null))
                .isEqualTo(json("{'metadata':{'annotations':{'kopf.zalando.org/touch-dummy':null}}}"));
        assertThat(touch(annotations, touched, "t2"))
                .isEqualTo(json("{'metadata':{'annotations':{'kopf.zalando.org/touch-dummy':'t2'}}}"));
        assertThat(touch(annotations, touched, "t1")).isEmpty();
        assertThat(touch(annotations, example(), null)).isEmpty();
        assertThat(touch(annotations, example(), "t1"))
                .isEqualTo(json("{'metadata':{'annotations':{'kopf.zalando.org/touch-dummy':'t1'}}}"));
    }

    @Tag("D10")
    @Tag("D21")
    @Test
    void marksForeignPrefixesOnTouchesThatHaveAnEffect() {
        AnnotationsProgressStorage storage =
                new AnnotationsProgressStorage(new AnnotationKeys("op.example.com"), "touch-dummy", false);
        ObjectNode touched = annotated(example(), "op.example.com/touch-dummy", "t1");
        assertThat(touch(storage, touched, null))
                .isEqualTo(json("{'metadata':{'annotations':{'op.example.com/touch-dummy':null,"
                        + "'op.example.com/kopf-managed':'yes'}}}"));
        assertThat(touch(storage, example(), null)).isEmpty();
    }

    @Tag("D18")
    @Test
    void storesStructuresInTheStatus() {
        ObjectNode patch = stored(status, "create_fn/a.<b>", example());
        assertThat(patch)
                .isEqualTo(json("{'status':{'kopf':{'progress':{'create_fn/a.<b>':{"
                        + "'started':'2020-01-01T00:00:00.000000+00:00','stopped':null,'delayed':null,'purpose':'create',"
                        + "'retries':1,'success':false,'failure':false,'message':'oops','subrefs':null}}}}}"));
        assertThat(status.fetch("create_fn/a.<b>", MergePatch.apply(example(), patch)))
                .isEqualTo(RECORD);
        assertThat(status.fetch("create_fn/a", MergePatch.apply(example(), patch)))
                .isNull();
    }

    @Tag("D18")
    @Test
    void takesBackInTheStatusWhatOnlySomeRecordsHave() {
        ProgressRecord fresh = ProgressRecord.fresh(Instant.parse("2020-01-01T00:00:00Z"), "create");
        ProgressRecord late =
                fresh.countingLateness(Instant.parse("2020-01-01T01:00:00Z")).withKeyGiven(true);
        ObjectNode body = Json.object();
        status.store("fn", late, Json.object(), body);
        ObjectNode patch = Json.object();
        status.store("fn", fresh, body, patch);
        MergePatch.mergeInto(body, patch);
        assertThat(late.late()).hasHours(1);
        assertThat(status.fetch("fn", body)).isEqualTo(fresh);
    }

    @Tag("D18")
    @Test
    void keepsInTheStatusWhatANewerVersionHasStoredUntilTheHandlerBeginsAnew() {
        ObjectNode body = with(example(), "status", "{'kopf':{'progress':{'fn':{'retries':1,'novelty':'a'}}}}");
        ProgressRecord record = Objects.requireNonNull(status.fetch("fn", body));
        for (ProgressRecord next : List.of(record.withKeyGiven(true), record.renewed(Instant.EPOCH))) {
            ObjectNode patch = Json.object();
            status.store("fn", next, body, patch);
            assertThat(status.fetch("fn", MergePatch.apply(body, patch))).isEqualTo(next);
        }
        assertThat(Json.text(ProgressRecord.encode(record.withKeyGiven(true), false)))
                .contains("novelty");
    }

    @Test
    void purgesAndTouchesInTheStatus() {
        ObjectNode body = with(example(), "status", "{'kopf':{'progress':{'fn':{}},'dummy':'t1'}}");
        ObjectNode patch = Json.object();
        status.purge("fn", body, patch);
        assertThat(patch).isEqualTo(json("{'status':{'kopf':{'progress':{'fn':null}}}}"));
        assertThat(touch(status, body, null)).isEqualTo(json("{'status':{'kopf':{'dummy':null}}}"));
        assertThat(touch(status, body, "t1")).isEmpty();
        ObjectNode unsent = stored(status, "fn", example());
        status.purge("fn", example(), unsent);
        assertThat(unsent).isEmpty();
    }

    @Tag("D18")
    @Tag("D24")
    @Test
    void usesCustomFields() {
        StatusProgressStorage named =
                new StatusProgressStorage(FieldPath.parse("status.op.progress"), FieldPath.parse("status.op.dummy"));
        assertThat(stored(named, "fn", example())
                        .path("status")
                        .path("op")
                        .path("progress")
                        .has("fn"))
                .isTrue();
        StatusProgressStorage custom = new StatusProgressStorage(FieldPath.parse("x.y"), FieldPath.parse("x.z"));
        assertThat(stored(custom, "fn", example()).path("x").path("y").has("fn"))
                .isTrue();
        assertThat(touch(custom, example(), "t")).isEqualTo(json("{'x':{'z':'t'}}"));
    }

    @Tag("D18")
    @ParameterizedTest
    @ValueSource(
            strings = {"'text'", "{'kopf':[]}", "{'kopf':{'progress':5}}", "{'kopf':{'progress':{'fn':null}}}", "null"})
    void takesAMisshapenStatusAsAbsent(String misshapen) {
        assertThat(status.fetch("fn", with(example(), "status", misshapen))).isNull();
    }

    @Tag("D18")
    @Test
    void takesGarbageInTheStatusAsAbsentAndTellsWhere() {
        SampleBodies.Heard heard = new SampleBodies.Heard();
        ProgressPersistence storage =
                new StatusProgressStorage(FieldPath.parse("status.p"), FieldPath.parse("status.d"), heard);
        assertThat(storage.fetch("fn", with(example(), "status", "{'p':{'fn':'text'}}")))
                .isNull();
        assertThat(heard.problems).containsExactly("KopfExample ns/x: field status.p.fn: expected an object");
    }

    @Tag("D03")
    @Test
    void clearsItsOwnStateFromEssences() {
        ObjectNode essence =
                json("{'spec':{},'metadata':{'annotations':{'op.example.com/fn':'{}','op.example.comx/y':'1'}},"
                        + "'status':{'kopf':{'progress':{'fn':{}}},'phase':'A'}}");
        String before = Json.text(essence);
        AnnotationsProgressStorage mine =
                new AnnotationsProgressStorage(new AnnotationKeys("op.example.com"), "touch-dummy", false);
        assertThat(MultiProgressStorage.smart(mine, status).clear(essence))
                .isEqualTo(json(
                        "{'spec':{},'metadata':{'annotations':{'op.example.comx/y':'1'}},'status':{'phase':'A'}}"));
        assertThat(mine.clear(json("{'metadata':{'annotations':{'op.example.com/fn':'{}'}}}")))
                .isEmpty();
        assertThat(status.clear(json("{'spec':{},'status':{'kopf':{'progress':{}}}}")))
                .isEqualTo(json("{'spec':{}}"));
        assertThat(Json.text(essence)).isEqualTo(before);
    }

    @Tag("D19")
    @Test
    void writesAllStoragesAndBelievesTheFirst() {
        MultiProgressStorage multi = new MultiProgressStorage(List.of(annotations, status));
        ObjectNode patch = stored(multi, "fn", example());
        assertThat(annotation(patch, "kopf.zalando.org/fn").isString()).isTrue();
        assertThat(status.fetch("fn", patch)).isEqualTo(RECORD);
        ObjectNode body = with(example(), "status", "{'kopf':{'progress':{'fn':{'retries':5}},'dummy':'d'}}");
        assertThat(retries(multi, "fn", body)).isEqualTo(5);
        annotated(body, "kopf.zalando.org/fn", "{\"retries\":6}");
        assertThat(retries(multi, "fn", body)).isEqualTo(6);
        ObjectNode purge = Json.object();
        multi.purge("fn", body, purge);
        assertThat(purge)
                .isEqualTo(json("{'metadata':{'annotations':{'kopf.zalando.org/fn':null}},"
                        + "'status':{'kopf':{'progress':{'fn':null}}}}"));
        assertThat(touch(multi, body, "t"))
                .isEqualTo(json("{'metadata':{'annotations':{'kopf.zalando.org/touch-dummy':'t'}},"
                        + "'status':{'kopf':{'dummy':'t'}}}"));
        assertThat(multi.clear(json("{'status':{'kopf':{'progress':{'fn':{}}}}}")))
                .isEmpty();
    }

    /** As in the golden trace T15. */
    @Tag("D20")
    @Test
    void takesOverFromTheStatusWithoutEverWritingIt() {
        ObjectNode body = with(example(), "status", "{'kopf':{'progress':{'create_fn':{'retries':2}},'dummy':'x'}}");
        assertThat(retries(smart, "create_fn", body)).isEqualTo(2);
        assertThat(stored(smart, "create_fn", body).propertyNames()).containsExactly("metadata");
        assertThat(touch(smart, body, null)).isEmpty();
        assertThat(touch(smart, body, "t").propertyNames()).containsExactly("metadata");
        ObjectNode purge = Json.object();
        smart.purge("create_fn", body, purge);
        assertThat(purge).isEqualTo(json("{'status':{'kopf':{'progress':{'create_fn':null}}}}"));
        annotated(body, "kopf.zalando.org/create_fn", "{\"retries\":3}");
        assertThat(retries(smart, "create_fn", body)).isEqualTo(3);
    }

    @Tag("D23")
    @Test
    void worksWithCustomStorages() {
        List<String> calls = new ArrayList<>();
        Map<String, ProgressRecord> memory = new HashMap<>();
        ProgressPersistence custom = new ProgressPersistence() {
            @Override
            public @Nullable ProgressRecord fetch(String key, ObjectNode body) {
                return memory.get(key);
            }

            @Override
            public void store(String key, ProgressRecord record, ObjectNode body, ObjectNode patch) {
                memory.put(key, record);
            }

            @Override
            public void purge(String key, ObjectNode body, ObjectNode patch) {
                memory.remove(key);
            }

            @Override
            public void touch(ObjectNode body, ObjectNode patch, @Nullable String value) {
                calls.add("touch " + value);
            }

            @Override
            public ObjectNode clear(ObjectNode essence) {
                return essence;
            }

            @Override
            public void flush() {
                calls.add("flush");
            }
        };
        MultiProgressStorage multi = new MultiProgressStorage(List.of(custom, annotations));
        stored(multi, "fn", example());
        assertThat(multi.fetch("fn", example())).isEqualTo(RECORD);
        multi.purge("fn", example(), Json.object());
        assertThat(multi.fetch("fn", example())).isNull();
        multi.touch(example(), Json.object(), null);
        multi.flush();
        annotations.flush();
        assertThat(calls).containsExactly("touch null", "flush");
    }

    private static ObjectNode stored(ProgressPersistence storage, String key, ObjectNode body) {
        String before = Json.text(body);
        ObjectNode patch = Json.object();
        storage.store(key, RECORD, body, patch);
        assertThat(Json.text(body)).isEqualTo(before);
        return patch;
    }

    private static ObjectNode touch(ProgressPersistence storage, ObjectNode body, @Nullable String value) {
        ObjectNode patch = Json.object();
        storage.touch(body, patch, value);
        return patch;
    }

    private static int retries(ProgressPersistence storage, String key, ObjectNode body) {
        ProgressRecord record = storage.fetch(key, body);
        return record == null ? -1 : record.retries();
    }
}
