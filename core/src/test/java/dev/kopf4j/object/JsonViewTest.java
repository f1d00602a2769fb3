package dev.kopf4j.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.BindingException;
import dev.kopf4j.Body;
import dev.kopf4j.TypeRef;
import dev.kopf4j.View;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.BodyView.MetaView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link JsonView}, {@link BodyView} and {@link MetaView}. */
class JsonViewTest {
    private static Body body(String text) {
        return new BodyView(Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    private static final Body FULL = body("""
            {'apiVersion':'kopf.dev/v1','kind':'KopfExample',
             'metadata':{'name':'x','namespace':'ns','uid':'u','labels':{'l':'1','n':null},'annotations':{'x.io/y':'z'},
              'creationTimestamp':'2020-01-01T00:00:00Z','deletionTimestamp':'2020-01-02T00:00:00Z','finalizers':['a','b']},
             'spec':{'size':3,'ratio':1.5,'flag':true,'list':[1,{'k':'v'}],'map':{'a.b':'dotted'},'text':'t','none':null}}""");

    @ParameterizedTest
    @Tag("C39")
    @ValueSource(
            strings = {
                "{}",
                "{'metadata':null,'spec':null,'status':null}",
                "{'metadata':'text','spec':[1],'status':7}",
                "{'metadata':{'labels':'text','annotations':[],'finalizers':{},'namespace':null}}"
            })
    void absentOrOddStanzasAreEmpty(String text) {
        Body body = body(text);
        assertThat(body.apiVersion()).isEmpty();
        assertThat(body.kind()).isEmpty();
        assertThat(body.spec().isEmpty()).isTrue();
        assertThat(body.status().isEmpty()).isTrue();
        assertThat(body.meta().labels()).isEmpty();
        assertThat(body.meta().annotations()).isEmpty();
        assertThat(body.meta().finalizers()).isEmpty();
        assertThat(body.meta().name()).isEmpty();
        assertThat(body.meta().uid()).isEmpty();
        assertThat(body.meta().namespace()).isEmpty();
        assertThat(body.meta().creationTimestamp()).isEmpty();
        assertThat(body.meta().deletionTimestamp()).isEmpty();
        assertThat(body.spec().get("any.where")).isEmpty();
        assertThat(body.spec().at("any").at("where").isEmpty()).isTrue();
        assertThat(body.spec().getString("a", "otherwise")).isEqualTo("otherwise");
        assertThat(body.spec().getList("a")).isEmpty();
        assertThat(body.spec().getMap("a")).isEmpty();
    }

    @Test
    @Tag("L28")
    void metadataHasItsOwnGetters() {
        assertThat(FULL.meta().name()).isEqualTo("x");
        assertThat(FULL.meta().namespace()).contains("ns");
        assertThat(FULL.meta().uid()).isEqualTo("u");
        assertThat(FULL.meta().labels()).isEqualTo(Map.of("l", "1"));
        assertThat(FULL.meta().annotations()).isEqualTo(Map.of("x.io/y", "z"));
        assertThat(FULL.meta().creationTimestamp()).contains(Instant.parse("2020-01-01T00:00:00Z"));
        assertThat(FULL.meta().deletionTimestamp()).contains(Instant.parse("2020-01-02T00:00:00Z"));
        assertThat(FULL.meta().finalizers()).containsExactly("a", "b");
    }

    @Test
    @Tag("C39")
    void valuesAreReadByPathsInTheirTypes() {
        assertThat(FULL.get("spec.size")).contains(3);
        assertThat(FULL.spec().getInt("size", 0)).isEqualTo(3);
        assertThat(FULL.spec().getLong("size", 0)).isEqualTo(3);
        assertThat(FULL.spec().getDouble("ratio", 0)).isEqualTo(1.5);
        assertThat(FULL.spec().getBoolean("flag", false)).isTrue();
        assertThat(FULL.spec().getString("text")).contains("t");
        assertThat(FULL.spec().getString("size")).contains("3");
        assertThat(FULL.spec().get("none")).isEmpty();
        assertThat(FULL.spec().has("none")).isFalse();
        assertThat(FULL.spec().getList("list")).isEqualTo(List.of(1, Map.of("k", "v")));
        assertThat(FULL.spec().get(List.of("map", "a.b"))).contains("dotted");
        assertThat(FULL.spec().get("map.a.b")).isEmpty();
    }

    @Test
    @Tag("C39")
    void whatHasToBeThereIsNamedIfItIsNot() {
        assertThat(FULL.requireString("spec.text")).isEqualTo("t");
        assertThat(FULL.spec().requireString(List.of("size"))).isEqualTo("3");
        assertThatThrownBy(() -> FULL.requireString("spec.absent"))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("there is no spec.absent in ")
                .hasMessageContaining("x");
        assertThatThrownBy(() -> FULL.requireString("spec.none")).hasMessageContaining("spec.none");
    }

    /** Each getter, and each way to bind, knows both forms. */
    @Test
    @Tag("C39")
    @Tag("L62")
    void whatHasDotsIsReadByKeys() {
        Body dotted = body(
                "{'a.b':{'text':'t','number':7,'ratio':1.5,'flag':true,'list':[1],'map':{'k':'v'},'claim':{'size':3}}}");
        assertThat(dotted.has(List.of("a.b", "text"))).isTrue();
        assertThat(dotted.has("a.b.text")).isFalse();
        assertThat(dotted.at(List.of("a.b")).getString("text")).contains("t");
        assertThat(dotted.getString(List.of("a.b", "text"))).contains("t");
        assertThat(dotted.getString(List.of("a.b", "none"), "otherwise")).isEqualTo("otherwise");
        assertThat(dotted.getInt(List.of("a.b", "number"), 0)).isEqualTo(7);
        assertThat(dotted.getLong(List.of("a.b", "number"), 0)).isEqualTo(7L);
        assertThat(dotted.getDouble(List.of("a.b", "ratio"), 0)).isEqualTo(1.5);
        assertThat(dotted.getBoolean(List.of("a.b", "flag"), false)).isTrue();
        assertThat(dotted.getList(List.of("a.b", "list"))).isEqualTo(List.of(1));
        assertThat(dotted.getMap(List.of("a.b", "map"))).isEqualTo(Map.of("k", "v"));
        assertThat(dotted.get(List.of("a.b", "claim"), Claim.class)).contains(new Claim(3, Optional.empty(), null));
        assertThat(dotted.get(List.of("a.b", "map"), new TypeRef<Map<String, String>>() {}))
                .contains(Map.of("k", "v"));
    }

    @Test
    @Tag("C39")
    void typesWithArgumentsNeedNoCast() {
        Body claims = body("{'spec':{'one':{'size':1},'two':{'size':2}}}");
        Map<String, Claim> all = claims.spec().as(new TypeRef<Map<String, Claim>>() {});
        assertThat(all.get("two")).isEqualTo(new Claim(2, Optional.empty(), null));
        assertThat(claims.get("spec", new TypeRef<Map<String, Claim>>() {})).contains(all);
        assertThat(claims.get("spec.one.size", int.class)).contains(1);
    }

    @Test
    @Tag("L28")
    void viewsCannotBeChanged() {
        List<Runnable> changes = List.of(
                () -> FULL.toMap().put("a", 1),
                () -> FULL.spec().getMap("map").put("a", 1),
                () -> FULL.spec().getList("list").add(1),
                () -> nested(FULL.toMap()).put("size", 4),
                () -> FULL.meta().labels().put("a", "b"),
                () -> FULL.meta().annotations().clear(),
                () -> FULL.meta().finalizers().add("c"));
        for (Runnable change : changes) {
            assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(change::run);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> nested(Map<String, Object> map) {
        return (Map<String, Object>) java.util.Objects.requireNonNull(map.get("spec"));
    }

    record Claim(int size, Optional<Double> ratio, @Nullable String absent) {}

    @Test
    @Tag("L27")
    void viewsAreBoundToTypesAndSayWhereTheyDoNotFit() {
        assertThat(FULL.spec().as(Claim.class)).isEqualTo(new Claim(3, Optional.of(1.5), null));
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> body("{'kind':'K','metadata':{'name':'x'},'spec':{'size':'many'}}")
                        .spec()
                        .as(Claim.class))
                .withMessageContaining("size")
                .withMessageContaining("many");
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> body("{'kind':'K','metadata':{'name':'x'},'spec':{'size':3000000000}}")
                        .spec()
                        .as(Claim.class))
                .withMessageContaining("size: expected int, but found the number 3000000000");
    }

    @Test
    @Tag("C39")
    void viewsAreEqualByContentWithNumbersByValue() {
        assertThat(body("{'spec':{'a':1,'b':null}}").spec())
                .isEqualTo(body("{'spec':{'a':1.0}}").spec())
                .hasSameHashCodeAs(body("{'spec':{'a':1.0}}").spec())
                .isNotEqualTo(body("{'spec':{'a':2}}").spec());
    }

    @Test
    void viewsOfOnesOwnAreMadeOfMaps() {
        Map<String, Object> map = new LinkedHashMap<>(Map.of("spec", Map.of("size", 3), "kind", "Own"));
        Body own = Body.of(map);
        map.clear();
        assertThat(own.kind()).isEqualTo("Own");
        assertThat(own.spec()).isEqualTo(View.of(Map.of("size", 3.0)));
        assertThat(View.of(Map.of("port", new Port("http", 80))).getInt("port.number", 0))
                .isEqualTo(80);
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> View.of(Map.of("a", Map.of("b", new Object()))))
                .withMessageStartingWith("a.b ");
    }

    record Port(String name, int number) {}

    @Test
    void elementsOfListsAreViews() {
        assertThat(FULL.spec().getViews("list")).containsExactly(View.of(Map.of()), View.of(Map.of("k", "v")));
        assertThat(FULL.getViews(List.of("spec", "map"))).isEmpty();
        assertThat(FULL.getViews("spec.absent")).isEmpty();
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> FULL.spec().getViews("list").get(1).get("k", Integer.class))
                .withMessageContaining("list.1 in spec of KopfExample ns/x");
    }

    @Test
    @SuppressWarnings("unchecked")
    void mutableCopiesAreChangedAllTheWayDown() {
        Map<String, @Nullable Object> copy = FULL.spec().toMutableMap();
        ((List<Object>) Objects.requireNonNull(copy.get("list"))).add(2);
        ((Map<String, Object>) Objects.requireNonNull(copy.get("map"))).put("new", "one");
        copy.remove("size");
        assertThat(copy).containsEntry("list", List.of(1, Map.of("k", "v"), 2)).containsKey("none");
        assertThat(FULL.spec().getList("list")).hasSize(2);
        assertThat(FULL.spec().has("size")).isTrue();
    }
}
