package dev.kopf4j.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Patch;
import dev.kopf4j.View;
import dev.kopf4j.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ObjectPatchTest {
    @Test
    @Tag("L62")
    void removesByPathsAndByKeysThatHaveDots() {
        Patch patch = new ObjectPatch(Json::object, new PatchContent());
        patch.remove("spec.size").meta().remove(List.of("annotations", "example.com/size"));
        assertThat(patch.toMap())
                .isEqualTo(Map.of(
                        "spec", nothing("size"), "metadata", Map.of("annotations", nothing("example.com/size"))));
    }

    @Test
    @Tag("L62")
    void writesViewsAsWhatTheyShow() {
        View view = View.of(Map.of("a", Map.of("b", 1), "empty", false));
        Patch patch = new ObjectPatch(Json::object, new PatchContent())
                .set("status.copy", view)
                .set("status.all", List.of(new Shown(view)));
        assertThat(patch.toMap())
                .isEqualTo(Map.of(
                        "status", Map.of("copy", view.toMap(), "all", List.of(Map.of("view", view.toMap())))));
    }

    record Shown(View view) {}

    private static Map<String, @Nullable Object> nothing(String key) {
        Map<String, @Nullable Object> map = new HashMap<>();
        map.put(key, null);
        return map;
    }

    record Shop(
            @Nullable Database database,
            @Nullable List<Shard> shards,
            @Nullable Map<String, Database> replicas) {
        static Shop of(Database database) {
            return new Shop(database, null, null);
        }

        static Shop of(Shard... shards) {
            return new Shop(null, List.of(shards), null);
        }

        static Shop of(Map<String, Database> replicas) {
            return new Shop(null, null, replicas);
        }
    }

    record Database(@Nullable String phase) {}

    record Shard(String name, int size) {
        Shard {
            if (size < 0) {
                throw new IllegalArgumentException("a size below 0");
            }
        }
    }

    private static void assertStatus(Shop status, String before, String patch) {
        ObjectNode body = Json.object();
        body.set("status", json(before));
        assertThat(new ObjectPatch(() -> body, new PatchContent())
                        .status(status)
                        .toMap())
                .isEqualTo(
                        patch.isEmpty()
                                ? Map.of()
                                : Map.of("status", Objects.requireNonNull(Json.toJava(json(patch)))));
    }

    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'database':{'phase':'A','endpoint':'x'}}            | ''
            {'database':{'phase':'B','endpoint':'x'}}            | {'database':{'phase':'A'}}
            {'database':{'endpoint':{'of':'x'}},'other':1}       | {'database':{'phase':'A'}}
            {'database':{'endpoint':'x'},'shards':[]}            | {'database':{'phase':'A'},'shards':null}
            """)
    @Tag("M11")
    void aStatusLeavesWhatItsNestedRecordsDoNotKnow(String before, String patch) {
        assertStatus(Shop.of(new Database("A")), before, patch);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'shards':[{'name':'a','size':1,'ip':7},{'name':'b','size':2}]}        | ''
            {'shards':[{'name':'a','size':0,'ip':7},{'name':'b','size':2}]}        | {'shards':[{'name':'a','size':1,'ip':7},{'name':'b','size':2}]}
            {'shards':[{'name':'b','size':2,'ip':7},{'name':'a','size':1}]}        | {'shards':[{'name':'a','size':1},{'name':'b','size':2}]}
            {'shards':[{'name':'a','size':1,'ip':7}]}                              | {'shards':[{'name':'a','size':1},{'name':'b','size':2}]}
            """)
    @Tag("M11")
    void aStatusLeavesWhatElementsOfTheSameNameAtTheSamePlaceHave(String before, String patch) {
        assertStatus(Shop.of(new Shard("a", 1), new Shard("b", 2)), before, patch);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'replicas':{'a':{'phase':'A','endpoint':'x'},'b':{'phase':'B'}}}      | {'replicas':{'b':null}}
            {'replicas':{'a':{'phase':'A'}}}                                       | ''
            {'replicas':{'b':{'phase':'B','endpoint':'x'}}}                        | {'replicas':{'a':{'phase':'A'},'b':null}}
            """)
    @Tag("M11")
    void aStatusRemovesEntriesOfMappings(String before, String patch) {
        assertStatus(Shop.of(Map.of("a", new Database("A"))), before, patch);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'shards':5,'database':{'phase':'B','endpoint':'x'}}                   | {'shards':null,'database':{'phase':'A'}}
            {'database':{'phase':{'x':1},'endpoint':'x'}}                          | {'database':{'phase':'A'}}
            {'database':'A','other':{'x':1}}                                       | {'database':{'phase':'A'}}
            """)
    @Tag("M11")
    void aPresentStatusThatDoesNotFitLosesNothingButWhatIsSaidToBeNull(String before, String patch) {
        assertStatus(Shop.of(new Database("A")), before, patch);
    }

    @Test
    @Tag("M11")
    void nothingIsRemovedWhereThePresentStatusDoesNotFitTheType() {
        assertStatus(
                new Shop(new Database("A"), List.of(new Shard("a", 1)), Map.of("a", new Database("A"))),
                "{'shards':[{'size':-1}],'database':{'endpoint':'x'},'replicas':{'b':{'phase':'B'}}}",
                "{'shards':[{'name':'a','size':1}],'database':{'phase':'A'},'replicas':{'a':{'phase':'A'}}}");
    }

    @Test
    @Tag("M11")
    void aMappingAsAStatusKnowsAllFieldsBelowItsKeys() {
        ObjectNode body = Json.object();
        body.set("status", json("{'database':{'phase':'A','endpoint':'x'},'other':{'x':1}}"));
        Patch patch = new ObjectPatch(() -> body, new PatchContent()).status(Map.of("database", Map.of("phase", "A")));
        assertThat(patch.toMap()).isEqualTo(Map.of("status", Map.of("database", nothing("endpoint"))));
    }
}
