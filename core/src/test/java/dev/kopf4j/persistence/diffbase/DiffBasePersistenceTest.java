package dev.kopf4j.persistence.diffbase;

import static dev.kopf4j.persistence.conventions.SampleBodies.annotated;
import static dev.kopf4j.persistence.conventions.SampleBodies.annotation;
import static dev.kopf4j.persistence.conventions.SampleBodies.example;
import static dev.kopf4j.persistence.conventions.SampleBodies.json;
import static dev.kopf4j.persistence.conventions.SampleBodies.with;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.persistence.conventions.AnnotationKeys;
import dev.kopf4j.persistence.conventions.AnnotationSizeLimit;
import dev.kopf4j.persistence.conventions.SampleBodies;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Tests the implementations of {@link DiffBasePersistence}. */
class DiffBasePersistenceTest {
    private static final String LAST_HANDLED = "kopf.zalando.org/last-handled-configuration";
    private static final AnnotationsDiffBaseStorage DEFAULT = new AnnotationsDiffBaseStorage(
            new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "last-handled-configuration", List.of(), false);

    @Tag("D12")
    @Test
    void storesCompactJsonWithALineBreakInTheAnnotation() {
        ObjectNode patch = stored(DEFAULT, example());
        assertThat(patch)
                .isEqualTo(json("{'metadata':{'annotations':{}}}")
                        .set(
                                "metadata",
                                json("{}")
                                        .set(
                                                "annotations",
                                                Json.object().put(LAST_HANDLED, "{\"spec\":{\"field\":\"a\"}}\n"))));
    }

    /** Odd texts, keys and numbers, and what Kopf has made of them. */
    @Tag("D12")
    @TestFactory
    Stream<DynamicTest> writesTheBytesThatKopfWrites() throws IOException, URISyntaxException {
        Path file = Path.of(Objects.requireNonNull(getClass().getResource("/persistence/last-handled.txt"))
                .toURI());
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSizeGreaterThan(10);
        return IntStream.range(0, lines.size() / 2).mapToObj(number -> {
            ObjectNode body = (ObjectNode) Json.parse(lines.get(2 * number + 1));
            String expected = lines.get(2 * number + 2) + "\n";
            return DynamicTest.dynamicTest("body " + number, () -> {
                assertThat(stored(DEFAULT, body)
                                .at("/metadata/annotations")
                                .path(LAST_HANDLED)
                                .asString())
                        .isEqualTo(expected);
                ObjectNode patch = Json.object();
                StatusDiffBaseStorage status = inStatus("kopf");
                status.store(body, patch, DEFAULT.build(body, List.of()));
                assertThat(patch.at("/status/kopf/last-handled-configuration").asString() + "\n")
                        .isEqualTo(expected);
            });
        });
    }

    @Tag("D12")
    @Test
    void fetchesWhatWasStored() {
        ObjectNode body = with(example(), "metadata.labels", "{'ż':'\\n'}");
        ObjectNode essence = DEFAULT.build(body, List.of());
        ObjectNode patch = Json.object();
        DEFAULT.store(body, patch, essence);
        ObjectNode patched = MergePatch.apply(body, patch);
        assertThat(DEFAULT.fetch(patched)).isEqualTo(essence);
        assertThat(DEFAULT.build(patched, List.of())).isEqualTo(essence);
    }

    @Tag("D12")
    @Test
    void knowsWhatAPatchHasStoredWithoutReadingIt() {
        ObjectNode patch = stored(DEFAULT, example());
        ObjectNode patched = MergePatch.apply(example(), patch);
        DiffBasePersistence both = new MultiDiffBaseStorage(List.of(DEFAULT, inStatus("kopf")));

        assertThat(DEFAULT.hasStored(patch, patched)).isTrue();
        assertThat(both.hasStored(patch, patched)).isTrue();
        assertThat(DEFAULT.hasStored(patch, example())).isFalse();
        assertThat(DEFAULT.hasStored(patch, annotated(example(), LAST_HANDLED, "{}\n")))
                .isFalse();
        assertThat(DEFAULT.hasStored(Json.object(), patched)).isFalse();
        assertThat(DEFAULT.hasStored(Json.object(), example())).isFalse();
        assertThat(inStatus("kopf").hasStored(patch, patched)).isFalse();
    }

    @Tag("D12")
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"spec":{"k":["a",1,1.5,null,true,{}],"\\u017c\\n":"\\"\\u0001x\\\\"}}    | true
            {"spec":{"k":["a",1,1.5,null,true,{}],"\\u017c\\n":"\\"\\u0001x\\\\"}}}   | false
            {"spec":{"k":["a",1,1.5,null,true,{}],"\\u017c\\n":"\\"\\u0001x\\\\y"}}   | false
            {"spec":{"k":["a",1,1.5,null,true,{}],"\\u017c\\n":"\\"\\u0001x"}}        | false
            {"spec":{"k":["a",1,1.5,null,true,{}]}}                                | false
            {"spec":{"k":["a",1.0,1.5,null,true,{}],"\\u017c\\n":"\\"\\u0001x\\\\"}}  | false
            {}                                                                     | false
            """)
    void knowsTheTextOfAnEssenceWithoutReadingIt(String stored, boolean holds) {
        ObjectNode essence = json("{'spec':{'k':['a',1,1.5,null,true,{}],'ż\\n':'\\\"\\u0001x\\\\'}}");
        ObjectNode body = annotated(essence.deepCopy(), LAST_HANDLED, stored + "\n");

        assertThat(DEFAULT.holds(body, essence)).isEqualTo(holds);
        assertThat(DEFAULT.holds(annotated(essence.deepCopy(), LAST_HANDLED, stored), essence))
                .isFalse();
        assertThat(DEFAULT.holds(essence, essence)).isFalse();
    }

    @Tag("D12")
    @Test
    void fetchesNothingFromAnObjectThatWasNeverHandled() {
        assertThat(DEFAULT.fetch(example())).isNull();
        assertThat(DEFAULT.fetch(annotated(example(), LAST_HANDLED, "null\n"))).isNull();
        assertThat(DEFAULT.fetch(json("{}"))).isNull();
    }

    @Tag("D12")
    @Test
    void fetchesEscapedJsonAsPythonWritesIt() {
        ObjectNode body = annotated(example(), LAST_HANDLED, "{\"spec\":{\"k\":\"\\u017c\\ud83d\\ude00\"}}\n");
        assertThat(DEFAULT.fetch(body)).isEqualTo(json("{'spec':{'k':'ż😀'}}"));
    }

    @Tag("D12")
    @ParameterizedTest
    @ValueSource(strings = {"", "{broken", "[1]", "\"text\"", "5", "{} {}"})
    void takesGarbageAsAbsentAndTellsWhere(String garbage) {
        SampleBodies.Heard heard = new SampleBodies.Heard();
        DiffBasePersistence storage = new AnnotationsDiffBaseStorage(
                new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX),
                "last-handled-configuration",
                List.of(),
                false,
                heard);
        assertThat(storage.fetch(annotated(example(), LAST_HANDLED, garbage))).isNull();
        assertThat(heard.problems)
                .singleElement()
                .asString()
                .startsWith("KopfExample ns/x: annotation " + LAST_HANDLED + ": ");
    }

    /** Whoever may annotate one object could fill the memory for all of them by a few kilobytes. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [],   | 500000    | what is packed in it would take more than 33554432 bytes of memory
            "x",  | 800000    | more than 3145728 bytes are packed in it
            x     | 100000000 | more than 3145728 bytes are packed in it
            """)
    void whatUnpacksToFarMoreThanAnObjectIsNotRead(String piece, int count, String problem) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("{\"spec\":{\"a\":[".getBytes(UTF_8));
            byte[] pieces = piece.repeat(10_000).getBytes(UTF_8);
            for (int written = 0; written < count; written += 10_000) {
                gzip.write(pieces);
            }
            gzip.write("0]}}".getBytes(UTF_8));
        }
        String text = "{\"kopf4j-gzip\":\"" + Base64.getEncoder().encodeToString(packed.toByteArray()) + "\"}\n";
        assertThat(text.length()).as("it fits into an annotation").isLessThan(AnnotationSizeLimit.BYTES_MAX);
        SampleBodies.Heard heard = new SampleBodies.Heard();
        DiffBasePersistence storage = new AnnotationsDiffBaseStorage(
                new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX),
                "last-handled-configuration",
                List.of(),
                false,
                heard);
        assertThat(storage.fetch(annotated(example(), LAST_HANDLED, text))).isNull();
        assertThat(heard.problems).containsExactly("KopfExample ns/x: annotation " + LAST_HANDLED + ": " + problem);
    }

    /** Room is asked for before anything is unpacked, so the form must be found wherever it would be read. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"kopf4j-gzip":"%s"}              | true
             { "\\u006bopf4j-gzip" : "%s" } | true
            {"kopf4j-gzip":"%s","a":1}        | false
            {"spec":{"kopf4j-gzip":"%s"}}     | false
            {"kopf4j-gzip":"AAAA"}            | false
            {"kopf4j-gzip":                   | false
            """)
    void tellsHowMuchMemoryAStateTakesThatWouldBeUnpacked(String form, boolean unpacked) {
        String state = "{\"spec\":[" + "[],".repeat(100_000) + "0]}";
        AnnotationsDiffBaseStorage packing = new AnnotationsDiffBaseStorage(
                new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "last-handled-configuration", List.of(), true);
        ObjectNode patch = Json.object();
        packing.store(example(), patch, json(state));
        String packed = Json.parse(patch.path("metadata")
                        .path("annotations")
                        .path(LAST_HANDLED)
                        .asString())
                .path("kopf4j-gzip")
                .asString();
        ObjectNode body = annotated(example(), LAST_HANDLED, form.formatted(packed));
        MultiDiffBaseStorage several = new MultiDiffBaseStorage(
                List.of(new AnnotationsDiffBaseStorage(new AnnotationKeys("a.b"), "x", List.of(), false), DEFAULT));
        assertThat(DEFAULT.unpackedBytes(body))
                .isEqualTo(several.unpackedBytes(body))
                .isBetween(unpacked ? 5_000_000L : 0L, unpacked ? 10_000_000L : 0L);
    }

    /** Also where compression is switched off meanwhile. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsWhatTheFirstVersionHasCompressed(boolean compressing) {
        AnnotationsDiffBaseStorage storage = new AnnotationsDiffBaseStorage(
                new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "last", List.of(), compressing);
        ObjectNode body = annotated(
                example(),
                "kopf.zalando.org/last",
                "{\"kopf4j-gzip\":\"H4sIAAAAAAACA6tWKi5ITVayqlZKy0zNSVGyUkpUqq0FAC4J67kWAAAA\"}\n");
        assertThat(storage.fetch(body)).isEqualTo(json("{'spec':{'field':'a'}}"));
    }

    /** An essence that is not read again would be taken for that of a new object, again and again. */
    @ParameterizedTest
    @CsvSource({
        "[], 500000, false",
        "'{\"name\":\"a\",\"value\":\"b\"}', 50000, true",
        "'\"a text of a kind\"', 80000, true"
    })
    void compressesWhatItReadsAgain(String value, int count, boolean fits) {
        AnnotationsDiffBaseStorage storage = new AnnotationsDiffBaseStorage(
                new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "last-handled-configuration", List.of(), true);
        ObjectNode body = with(example(), "spec.a", "[" + (value + ",").repeat(count) + "0]");
        ObjectNode essence = storage.build(body, List.of());
        if (fits) {
            assertThat(storage.whyNotStorable(body, essence)).isNull();
            ObjectNode patch = Json.object();
            storage.store(body, patch, essence);
            assertThat(storage.fetch(MergePatch.apply(example(), patch))).isEqualTo(essence);
        } else {
            assertThat(storage.whyNotStorable(body, essence))
                    .startsWith("K4-021: The last handled state of KopfExample ns/x cannot be compressed: ");
        }
    }

    @Tag("D12")
    @Test
    void hearsNothingOfStateThatIsWellOrAbsent() {
        SampleBodies.Heard heard = new SampleBodies.Heard();
        DiffBasePersistence storage = new AnnotationsDiffBaseStorage(
                new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "last", List.of(), false, heard);
        storage.fetch(example());
        storage.fetch(annotated(example(), "kopf.zalando.org/last", "{}\n"));
        storage.fetch(annotated(example(), "kopf.zalando.org/last", "null"));
        assertThat(heard.problems).isEmpty();
    }

    @Tag("D07")
    @Test
    void writesBothNamesAndReadsTheNewerFirst() {
        String key = "x".repeat(63);
        DiffBasePersistence storage = new AnnotationsDiffBaseStorage(
                new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), key, List.of(), false);
        String newer = "kopf.zalando.org/" + key;
        String older = "kopf.zalando.org/" + "x".repeat(39) + "-GINbRg";
        ObjectNode patch = stored(storage, example());
        assertThat(patch.path("metadata").path("annotations").propertyNames()).containsExactly(newer, older);
        ObjectNode body = annotated(annotated(example(), older, "{\"old\":1}"), newer, "{\"new\":1}");
        assertThat(storage.fetch(body)).isEqualTo(json("{'new':1}"));
        assertThat(storage.fetch(annotated(body, newer, "null"))).isEqualTo(json("{'old':1}"));
        assertThat(storage.fetch(annotated(body, newer, "{broken"))).isEqualTo(json("{'old':1}"));
    }

    @Tag("D09")
    @Test
    void marksTheAnnotationOfReplicaSetsOfDeployments() {
        ObjectNode body = SampleBodies.replicaSetOfDeployment();
        ObjectNode patch = stored(DEFAULT, body);
        assertThat(annotation(patch, LAST_HANDLED + "-ofDRS").isString()).isTrue();
        assertThat(DEFAULT.fetch(annotated(body, LAST_HANDLED, "{}"))).isNull();
    }

    @Tag("D10")
    @ParameterizedTest
    @ValueSource(strings = {"op.example.com", "kopf.dev", "kopf.a.example.com", "op.kopf.zalando.org"})
    void marksForeignPrefixesOnce(String prefix) {
        DiffBasePersistence storage =
                new AnnotationsDiffBaseStorage(new AnnotationKeys(prefix), "last", List.of(), false);
        ObjectNode patch = stored(storage, example());
        assertThat(annotation(patch, prefix + "/kopf-managed").stringValue()).isEqualTo("yes");
        ObjectNode again = stored(storage, MergePatch.apply(example(), patch));
        assertThat(again.path("metadata").path("annotations").propertyNames()).containsExactly(prefix + "/last");
    }

    @Tag("D10")
    @Test
    void doesNotMarkPrefixesThatSayItThemselves() {
        ObjectNode patch = stored(DEFAULT, example());
        assertThat(patch.path("metadata").path("annotations").propertyNames()).containsExactly(LAST_HANDLED);
    }

    @Tag("D10")
    @ParameterizedTest
    @ValueSource(strings = {"kopf.zalando.org", "op.kopf.zalando.org", "kopf.b.example.com", "b.example.com"})
    void isNoChangeForAnotherOperatorOfTheKind(String prefix) {
        DiffBasePersistence another =
                new AnnotationsDiffBaseStorage(new AnnotationKeys(prefix), "last", List.of(), false);
        ObjectNode handled = MergePatch.apply(example(), stored(another, example()));
        for (String own : List.of("kopf.zalando.org", "kopf.a.example.com", "a.example.com")) {
            DiffBasePersistence storage =
                    new AnnotationsDiffBaseStorage(new AnnotationKeys(own), "last", List.of(), false);
            assertThat(storage.build(handled, List.of())).isEqualTo(storage.build(example(), List.of()));
        }
    }

    @Tag("D24")
    @Test
    void leavesItsOwnAnnotationsOutOfTheEssenceUnderAnyPrefix() {
        String key = "x".repeat(63);
        DiffBasePersistence storage =
                new AnnotationsDiffBaseStorage(new AnnotationKeys("kopf.dev"), key, List.of(), false);
        ObjectNode patched = MergePatch.apply(example(), stored(storage, example()));
        // Written by Kopf, or before such prefixes were marked.
        patched.withObject("/metadata/annotations").remove("kopf.dev/kopf-managed");
        assertThat(storage.build(patched, List.of())).isEqualTo(json("{'spec':{'field':'a'}}"));
        assertThat(storage.build(patched, List.of(FieldPath.parse("metadata.annotations"))))
                .isEqualTo(json("{'spec':{'field':'a'}}"));
    }

    @Tag("D05")
    @Test
    void ignoresFieldsInBothKindsOfStorages() {
        List<FieldPath> ignored = List.of(FieldPath.parse("spec.field"));
        ObjectNode body = with(example(), "spec.other", "1");
        for (DiffBasePersistence storage : List.of(
                new AnnotationsDiffBaseStorage(
                        new AnnotationKeys(AnnotationKeys.DEFAULT_PREFIX), "last", ignored, false),
                new StatusDiffBaseStorage(FieldPath.parse("status.last"), ignored))) {
            assertThat(storage.build(body, List.of())).isEqualTo(json("{'spec':{'other':1}}"));
        }
    }

    @Tag("D13")
    @Test
    void storesATextInTheStatus() {
        StatusDiffBaseStorage storage = inStatus("kopf");
        ObjectNode patch = stored(storage, example());
        ObjectNode expected = json("{'status':{'kopf':{}}}");
        FieldPath.parse("status.kopf.last-handled-configuration")
                .ensure(expected, Json.parse("\"{\\\"spec\\\":{\\\"field\\\":\\\"a\\\"}}\""));
        assertThat(patch).isEqualTo(expected);
        assertThat(storage.fetch(MergePatch.apply(example(), patch))).isEqualTo(json("{'spec':{'field':'a'}}"));
        assertThat(storage.fetch(example())).isNull();
    }

    @Tag("D13")
    @Test
    void leavesItsOwnFieldOutOfTheEssence() {
        StatusDiffBaseStorage storage = inStatus("op");
        ObjectNode body = with(example(), "status", "{'op':{'last-handled-configuration':'{}'},'phase':'A'}");
        assertThat(storage.build(body, List.of(FieldPath.of("status"))))
                .isEqualTo(json("{'spec':{'field':'a'},'status':{'phase':'A'}}"));
        assertThat(storage.build(
                        with(body, "status", "{'op':{'last-handled-configuration':'{}'}}"),
                        List.of(FieldPath.of("status"))))
                .isEqualTo(json("{'spec':{'field':'a'}}"));
    }

    @Tag("D13")
    @ParameterizedTest
    @ValueSource(strings = {"'{broken'", "'[1]'", "{'spec':{}}", "5", "''"})
    void takesGarbageInTheStatusAsAbsent(String garbage) {
        SampleBodies.Heard heard = new SampleBodies.Heard();
        FieldPath field = FieldPath.parse("status.last");
        assertThat(new StatusDiffBaseStorage(field, List.of(), heard).fetch(with(example(), "status.last", garbage)))
                .isNull();
        assertThat(heard.problems).singleElement().asString().startsWith("KopfExample ns/x: field status.last: ");
    }

    @Tag("D13")
    @Test
    void takesAMisshapenStatusAsAbsent() {
        assertThat(inStatus("kopf").fetch(with(example(), "status", "'text'"))).isNull();
        assertThat(inStatus("kopf").fetch(with(example(), "status", "{'kopf':null}")))
                .isNull();
        assertThat(inStatus("kopf").fetch(with(example(), "status", "{'kopf':{'last-handled-configuration':'null'}}")))
                .isNull();
        assertThatIllegalArgumentException().isThrownBy(() -> new StatusDiffBaseStorage(FieldPath.ROOT, List.of()));
    }

    @Tag("D14")
    @Test
    void believesTheFirstStorageAndWritesAll() {
        StatusDiffBaseStorage status = inStatus("kopf");
        DiffBasePersistence multi = new MultiDiffBaseStorage(List.of(DEFAULT, status));
        ObjectNode inStatus = with(example(), "status", "{}");
        FieldPath.parse("status.kopf.last-handled-configuration").ensure(inStatus, Json.parse("\"{\\\"from\\\":1}\""));
        assertThat(multi.fetch(inStatus)).isEqualTo(json("{'from':1}"));
        assertThat(multi.fetch(annotated(inStatus.deepCopy(), LAST_HANDLED, "{\"from\":0}")))
                .isEqualTo(json("{'from':0}"));
        assertThat(multi.fetch(example())).isNull();
        ObjectNode patch = stored(multi, example());
        assertThat(annotation(patch, LAST_HANDLED).isString()).isTrue();
        assertThat(status.fetch(patch)).isEqualTo(json("{'spec':{'field':'a'}}"));
    }

    @Tag("D14")
    @Test
    void leavesTheStateOfAllStoragesOutOfTheEssence() {
        DiffBasePersistence multi = new MultiDiffBaseStorage(List.of(
                new AnnotationsDiffBaseStorage(new AnnotationKeys("kopf.dev"), "last", List.of(), false),
                inStatus("kopf")));
        for (ObjectNode body : List.of(example(), SampleBodies.replicaSetOfDeployment())) {
            ObjectNode patched = MergePatch.apply(body, stored(multi, body));
            assertThat(multi.build(patched, List.of(FieldPath.of("status")))).isEqualTo(json("{'spec':{'field':'a'}}"));
        }
    }

    @Tag("D14")
    @Test
    void keepsMetadataOfOwnedObjectsInSeveralStorages() {
        ObjectNode body = with(SampleBodies.replicaSetOfDeployment(), "metadata.labels", "{'l':'1'}");
        DiffBasePersistence multi = new MultiDiffBaseStorage(List.of(DEFAULT, inStatus("kopf")));
        assertThat(multi.build(body, List.of()))
                .isEqualTo(json("{'spec':{'field':'a'},'metadata':{'labels':{'l':'1'}}}"));
    }

    @Tag("D23")
    @Test
    void worksWithCustomStorages() {
        DiffBasePersistence custom = new DiffBasePersistence() {
            @Override
            public @Nullable ObjectNode fetch(ObjectNode body) {
                return body.get("custom") instanceof ObjectNode essence ? essence : null;
            }

            @Override
            public ObjectNode build(ObjectNode body, Collection<FieldPath> extraFields) {
                ObjectNode essence = DEFAULT.build(body, extraFields);
                essence.remove("custom");
                return essence;
            }

            @Override
            public void store(ObjectNode body, ObjectNode patch, ObjectNode essence) {
                patch.set("custom", essence);
            }
        };
        DiffBasePersistence multi = new MultiDiffBaseStorage(List.of(custom, DEFAULT));
        ObjectNode patched = MergePatch.apply(example(), stored(multi, example()));
        assertThat(multi.fetch(patched)).isEqualTo(json("{'spec':{'field':'a'}}"));
        assertThat(multi.build(patched, List.of())).isEqualTo(json("{'spec':{'field':'a'}}"));
    }

    private static ObjectNode stored(DiffBasePersistence storage, ObjectNode body) {
        String before = Json.text(body);
        ObjectNode patch = Json.object();
        storage.store(body, patch, storage.build(body, List.of()));
        assertThat(Json.text(body)).isEqualTo(before);
        return patch;
    }

    private static StatusDiffBaseStorage inStatus(String name) {
        return new StatusDiffBaseStorage(FieldPath.of("status", name, "last-handled-configuration"), List.of());
    }
}
