package dev.kopf4j.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class JsonTest {
    enum Size {
        SMALL,
        LARGE
    }

    enum Plan {
        ON_DEMAND,
        @JsonProperty("at-night")
        NIGHTLY {
            @Override
            public String toString() {
                return "by night";
            }
        };

        @Override
        public String toString() {
            return "on demand";
        }
    }

    record Plans(@Nullable Plan first, List<Plan> others, Map<Plan, Integer> costs) {}

    record Limits(int max, @Nullable Integer min, boolean strict) {}

    record Spec(
            @Nullable String size,
            @Nullable Limits limits,
            List<Limits> all,
            @Nullable Size kind) {
        Spec {
            all = all == null ? List.of() : all;
        }
    }

    record Positive(int value) {
        Positive {
            if (value <= 0) {
                throw new IllegalArgumentException("value must be positive, but is " + value);
            }
        }
    }

    record Holder(Object held) {}

    static class Bean {
        private String name = "";

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }
    }

    @Test
    void readsAnObjectWithoutAFieldOfAField() {
        String text = "{'a':{'x':{'y':[1,{'x':2}]},'b':{'x':3},'c':[{'x':4}],'x':5},'x':6,'b':{'x':7},'c':[{'x':8}]}";
        assertThat(parsedWithoutX(text))
                .hasToString("{'a':{'b':{'x':3},'c':[{'x':4}]},'x':6,'b':{'x':7},'c':[{'x':8}]}".replace('\'', '"'));
        assertThat(parsedWithoutX("{'a':{'x':1}}")).hasToString("{\"a\":{}}");
        assertThat(parsedWithoutX("{'a':[{'x':1}]}")).hasToString("{\"a\":[{\"x\":1}]}");
        for (String bad : List.of("[]", "", "{'a':{'x':[}}", "{'a':{'x':1}", "{'a':{'x':1}} 1")) {
            assertThatThrownBy(() -> parsedWithoutX(bad)).as(bad).isInstanceOf(JsonConversionException.class);
        }
    }

    private static ObjectNode parsedWithoutX(String text) {
        return Json.parseObjectWithout("a", "x", text.replace('\'', '"').getBytes(UTF_8));
    }

    @Test
    void writesCompactlyInUtf8() {
        JsonNode node = Json.parse("{ \"a\" : [ 1, 2.50 , null ],\n \"ż\" : \"ó/\\n\" }");
        assertThat(Json.text(node)).isEqualTo("{\"a\":[1,2.5,null],\"ż\":\"ó/\\n\"}");
        assertThat(Json.bytes(node)).isEqualTo("{\"a\":[1,2.5,null],\"ż\":\"ó/\\n\"}".getBytes(UTF_8));
        assertThat(Json.parse(Json.bytes(node))).isEqualTo(node);
    }

    @Test
    void keepsIntegersOfAnySize() {
        String text = "[9223372036854775807,92233720368547758070,-5]";
        assertThat(Json.text(Json.parse(text))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "{", "{\"a\":1} x", "{'a':1}", "nul"})
    void refusesWhatIsNoJson(String text) {
        assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(JsonConversionException.class);
        assertThatThrownBy(() -> Json.parse(text.getBytes(UTF_8))).isInstanceOf(JsonConversionException.class);
    }

    @Test
    void saysWhereTheTextIsBroken() {
        assertThatThrownBy(() -> Json.parse("{\"a\":\n x}")).hasMessageContaining("not valid JSON at line 2, column 2");
        for (String text : List.of("1 2", "{} []", "null \"x\"")) {
            for (ThrowingCallable call :
                    List.<ThrowingCallable>of(() -> Json.parse(text), () -> Json.parse(text.getBytes(UTF_8)))) {
                assertThatThrownBy(call)
                        .hasMessageStartingWith("not valid JSON at line 1, column ")
                        .hasMessageEndingWith(": there is more than one value");
            }
        }
    }

    /** A real server of v1.33 has accepted each of them, but for the number, which only raw JSON keeps as it is. */
    @Test
    @Tag("B09")
    void readsAndWritesWhatAnApiServerAccepts() {
        String key = "{\"" + "k".repeat(60_000) + "\":1}";
        String deep = "{\"a\":".repeat(900) + "1" + "}".repeat(900);
        String text = "\"" + "x".repeat(21_000_000) + "\"";
        String number = "9".repeat(20_000);
        for (String json : List.of(key, deep, text, number)) {
            assertThat(Json.text(Json.parse(json))).isEqualTo(json);
        }
        String deepest = "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000);
        assertThat(Json.parse("{\"items\":[" + deepest + "]}").path("items")).hasSize(1);
    }

    @Test
    void whatIsNestedTooDeeplyIsNoJsonEither() {
        String deep = "[".repeat(20_000);
        assertThatThrownBy(() -> Json.parse(deep))
                .isInstanceOf(JsonConversionException.class)
                .hasMessageContaining("it has more than 10000 levels");
        assertThatThrownBy(() -> Json.parse(deep.getBytes(UTF_8))).isInstanceOf(JsonConversionException.class);
    }

    @Test
    void refusesOtherValuesWhereAnObjectIsNeeded() {
        assertThat(Json.parseObject("{\"a\":1}".getBytes(UTF_8)).get("a").intValue())
                .isEqualTo(1);
        assertThatThrownBy(() -> Json.parseObject("[1]".getBytes(UTF_8)))
                .isInstanceOf(JsonConversionException.class)
                .hasMessage("expected a JSON object, but found the list [1]");
        assertThatThrownBy(() -> Json.parseObject(("\"" + "x".repeat(58) + "\"").getBytes(UTF_8)))
                .hasMessageEndingWith("found the string \"" + "x".repeat(58) + "\"");
        assertThatThrownBy(() -> Json.parseObject(("\"" + "x".repeat(59) + "\"").getBytes(UTF_8)))
                .hasMessageEndingWith("found the string \"" + "x".repeat(59) + "…");
    }

    @Test
    void answersPlainJavaValues() {
        JsonNode node = Json.parse("{\"z\":1,\"a\":[true,null,\"t\",1.5,3000000000,92233720368547758070],\"m\":{}}");
        Map<String, @Nullable Object> expected = new LinkedHashMap<>();
        expected.put("z", 1);
        expected.put("a", Arrays.asList(true, null, "t", 1.5, 3000000000L, new BigInteger("92233720368547758070")));
        expected.put("m", Map.of());
        Object plain = requireNonNull(Json.toJava(node));
        assertThat(plain).isEqualTo(expected);
        assertThat(((Map<?, ?>) plain).keySet()).map(Object::toString).containsExactly("z", "a", "m");
        assertThat(Json.toJava(null)).isNull();
        assertThat(Json.toJava(Json.parse("null"))).isNull();
    }

    @Test
    @SuppressWarnings("unchecked")
    void answersImmutablePlainJavaValues() {
        Map<String, Object> plain = (Map<String, Object>) requireNonNull(Json.toJava(Json.parse("{\"a\":[{}]}")));
        List<Object> list = (List<Object>) requireNonNull(plain.get("a"));
        assertThatThrownBy(() -> plain.put("b", 1)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> list.add(1)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> ((Map<String, Object>) list.get(0)).put("b", 1))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void readsJavaValues() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("text", "t");
        map.put("null", null);
        map.put("int", 1);
        map.put("long", 3000000000L);
        map.put("short", (short) 3);
        map.put("float", 1.1f);
        map.put("char", 'c');
        map.put("list", List.of(1, Optional.of("x"), Optional.empty()));
        map.put("array", new int[] {1, 2});
        map.put("strings", new String[] {"a"});
        map.put("enum", Size.LARGE);
        map.put("instant", Instant.parse("2020-01-02T03:04:05Z"));
        map.put("duration", Duration.ofSeconds(90));
        map.put("record", new Limits(5, null, true));
        map.put("bean", new Bean());
        map.put("tree", Json.parse("{\"x\":[1]}"));
        map.put("keys", Map.of(Size.SMALL, 1));
        map.put("nested", Map.of(7, new Limits[] {new Limits(1, 2, false)}));
        assertThat(Json.text(Json.fromJava(map)))
                .isEqualTo("{\"text\":\"t\",\"null\":null,\"int\":1,\"long\":3000000000,\"short\":3,\"float\":1.1,"
                        + "\"char\":\"c\",\"list\":[1,\"x\",null],\"array\":[1,2],\"strings\":[\"a\"],\"enum\":\"LARGE\","
                        + "\"instant\":\"2020-01-02T03:04:05Z\",\"duration\":\"PT1M30S\","
                        + "\"record\":{\"max\":5,\"min\":null,\"strict\":true},\"bean\":{\"name\":\"\"},"
                        + "\"tree\":{\"x\":[1]},\"keys\":{\"SMALL\":1},"
                        + "\"nested\":{\"7\":[{\"max\":1,\"min\":2,\"strict\":false}]}}");
        assertThat(Json.text(Json.fromJava(null))).isEqualTo("null");
    }

    /** As the templates of other languages are, which have getters, too. */
    record Template(String text) implements CharSequence {
        @JsonProperty
        int getValueCount() {
            return 1;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    @Test
    void writesWhatTextsOfOtherClassesSay() {
        assertThat(Json.mapper().valueToTree(Map.of("a", new Template("x"))).toString())
                .isEqualTo("{\"a\":\"x\"}");
        assertThat(Json.mapper().valueToTree(List.of(new StringBuilder("y"))).toString())
                .isEqualTo("[\"y\"]");
    }

    @Test
    void namesConstantsOfEnumsAsDefinitionsDo() {
        Plans plans = new Plans(Plan.ON_DEMAND, List.of(Plan.NIGHTLY), Map.of(Plan.NIGHTLY, 1));
        String written = "{\"first\":\"ON_DEMAND\",\"others\":[\"at-night\"],\"costs\":{\"at-night\":1}}";
        assertThat(Json.text(Json.fromJava(plans))).isEqualTo(written);
        assertThat(this.<Plans>bind(written, Plans.class)).isEqualTo(plans);
        assertThat(Json.text(Json.fromJava(Map.of(Plan.NIGHTLY, Plan.ON_DEMAND))))
                .isEqualTo("{\"at-night\":\"ON_DEMAND\"}");
        assertThatThrownBy(() -> bind("{\"first\":\"on demand\"}", Plans.class))
                .hasMessage("first: expected one of [ON_DEMAND, at-night], but found the string \"on demand\"");
    }

    enum Ranked {
        LOW,
        HIGH;

        @JsonValue
        int rank() {
            return this == LOW ? 10 : 20;
        }
    }

    @JsonFormat(shape = JsonFormat.Shape.NUMBER)
    enum Level {
        LOW,
        HIGH
    }

    record Numbered(
            Level level,
            @JsonFormat(shape = JsonFormat.Shape.NUMBER) Size size,
            @JsonFormat(shape = JsonFormat.Shape.NUMBER_INT) List<Size> all,
            @JsonFormat(shape = JsonFormat.Shape.STRING) Level name) {}

    @Test
    void takesNumbersForConstantsOfEnumsWhereItWritesThem() {
        Numbered numbered = new Numbered(Level.HIGH, Size.LARGE, List.of(Size.SMALL), Level.LOW);
        String written = "{\"level\":1,\"size\":1,\"all\":[0],\"name\":\"LOW\"}";
        assertThat(Json.text(Json.fromJava(numbered))).isEqualTo(written);
        assertThat(this.<Numbered>bind(written, Numbered.class)).isEqualTo(numbered);
        assertThat(this.<Level>bind("\"HIGH\"", Level.class)).isEqualTo(Level.HIGH);
        assertThatThrownBy(() -> bind("{\"level\":2}", Numbered.class))
                .isInstanceOf(JsonConversionException.class)
                .hasMessageStartingWith("level: expected one of ")
                .hasMessageEndingWith("but found the number 2");
        assertThatThrownBy(() -> bind("{\"name\":1}", Numbered.class))
                .isInstanceOf(JsonConversionException.class)
                .hasMessageEndingWith("but found the number 1");
    }

    @JsonFormat(shape = JsonFormat.Shape.NUMBER)
    enum Turned {
        @JsonProperty("1")
        FIRST,
        SECOND,
        THIRD
    }

    /** As labels and annotations have nothing else. */
    @Test
    void takesNumbersInTextsForConstantsOfEnumsAfterTheirNames() {
        assertThat(this.<Level>bind("\"1\"", Level.class)).isEqualTo(Level.HIGH);
        assertThat(this.<Turned>bind("\"1\"", Turned.class)).isEqualTo(Turned.FIRST);
        assertThat(this.<Turned>bind("\"2\"", Turned.class)).isEqualTo(Turned.THIRD);
        assertThatThrownBy(() -> bind("{\"level\":\"2\"}", Numbered.class))
                .isInstanceOf(JsonConversionException.class)
                .hasMessageStartingWith("level: expected one of ")
                .hasMessageEndingWith("but found the string \"2\"");
        assertThatThrownBy(() -> bind("{\"name\":\"1\"}", Numbered.class))
                .isInstanceOf(JsonConversionException.class)
                .hasMessageStartingWith("name: expected one of ");
    }

    record Coerced(
            @Nullable Size size,
            @Nullable Ranked ranked,
            boolean flag,
            @Nullable Boolean boxed,
            int number,
            @Nullable Integer some) {}

    /** Fields of objects without a schema, and labels, which are texts. */
    @Test
    void takesOtherFormsOfAValueOnlyWhereTheyAreClear() {
        Coerced all = new Coerced(Size.LARGE, Ranked.HIGH, true, false, 5, 6);
        assertThat(this.<Coerced>bind(
                        "{\"size\":\"LARGE\",\"ranked\":20,\"flag\":1,\"boxed\":0,\"number\":\"5\",\"some\":\"6\"}",
                        Coerced.class))
                .isEqualTo(all);
        assertThat(this.<Coerced>bind(
                        "{\"flag\":\"true\",\"boxed\":\"\",\"number\":\"\",\"some\":\"\"}", Coerced.class))
                .isEqualTo(new Coerced(null, null, true, null, 0, null));
        assertThat(this.<Coerced>bind("{\"flag\":\"\",\"boxed\":null}", Coerced.class))
                .isEqualTo(new Coerced(null, null, false, null, 0, null));
        assertThat(this.<Integer>bind("null", int.class)).isZero();
        assertThat(this.<Boolean>bind("\"true\"", boolean.class)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"size":1}     | size: expected one of [SMALL, LARGE], but found the number 1
            {"size":"1"}   | size: expected one of [SMALL, LARGE], but found the string "1"
            {"ranked":0}   | ranked: expected one of [10, 20], but found the number 0
            {"flag":3}     | flag: expected boolean, but found the number 3
            {"flag":-1}    | flag: expected boolean, but found the number -1
            {"boxed":3}    | boxed: expected Boolean, but found the number 3
            """)
    void doesNotGuessValues(String json, String message) {
        assertThatThrownBy(() -> bind(json, Coerced.class))
                .isInstanceOf(JsonConversionException.class)
                .hasMessage(message);
    }

    @Test
    void anEmptyTextByItselfIsNoNumberAndNoFlag() {
        for (Class<?> type :
                List.of(int.class, long.class, double.class, boolean.class, Integer.class, Boolean.class)) {
            assertThatThrownBy(() -> bind("\"\"", type))
                    .isInstanceOf(JsonConversionException.class)
                    .hasMessage("the value itself: expected " + type.getSimpleName() + ", but found the string \"\"");
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void refusesNumbersThatJsonDoesNotHaveInsideOfOtherValues(double number) {
        List<Object> values = List.of(
                number,
                (float) number,
                new double[] {number},
                List.of(number),
                Optional.of(number),
                Json.object().put("n", number).get("n"));
        for (Object value : values) {
            assertThatThrownBy(() -> Json.fromJava(Map.of("h", new Holder(value))))
                    .isInstanceOf(JsonConversionException.class)
                    .hasMessageStartingWith("h.held")
                    .hasMessageContaining("JSON has no " + number);
        }
        assertThatThrownBy(() -> Json.fromJava(Json.object().put("n", number)))
                .hasMessageContaining("JSON has no " + number);
    }

    @Test
    void copiesTreesItIsGiven() {
        ObjectNode tree = (ObjectNode) Json.parse("{\"a\":1}");
        JsonNode read = Json.fromJava(Map.of("tree", tree));
        tree.put("a", 2);
        assertThat(Json.text(read)).isEqualTo("{\"tree\":{\"a\":1}}");
    }

    @Test
    void readsBackWhatItAnswers() {
        RandomJson.forEachSeed(1000, random -> {
            JsonNode node = random.value();
            assertThat(Json.fromJava(Json.toJava(node))).isEqualTo(node);
        });
    }

    @Test
    void namesTypeAndPathOfWhatJsonCannotExpress() {
        Runnable function = () -> {};
        assertThatThrownBy(() -> Json.fromJava(Map.of("a", List.of(1, function))))
                .isInstanceOf(JsonConversionException.class)
                .hasMessageStartingWith("a.1 cannot be expressed in JSON (Java type dev.kopf4j.json.JsonTest$$Lambda");
        assertThatThrownBy(() -> Json.fromJava(Map.of("o", new Object())))
                .isInstanceOf(JsonConversionException.class)
                .hasMessageStartingWith("o cannot be expressed in JSON (Java type java.lang.Object): ");
        assertThatThrownBy(() -> Json.fromJava(Map.of("h", new Holder(List.of(new Object())))))
                .hasMessageStartingWith(
                        "h.held.0 cannot be expressed in JSON (Java type dev.kopf4j.json.JsonTest$Holder): ");
        assertThatThrownBy(() -> Json.fromJava(Map.of("n", Double.NaN)))
                .hasMessageStartingWith("n cannot be expressed in JSON (Java type java.lang.Double): JSON has no NaN");
        assertThatThrownBy(() -> Json.fromJava(Collections.singletonMap(null, 1)))
                .hasMessageStartingWith("the value cannot be expressed in JSON (Java type")
                .hasMessageContaining("null key");
        List<Object> itself = new ArrayList<>();
        itself.add(itself);
        assertThatThrownBy(() -> Json.fromJava(itself)).hasMessageContaining("contains itself");
    }

    @Test
    void bindsRecordsFirst() {
        Spec spec = bind(
                "{\"size\":\"1G\",\"limits\":{\"max\":3},\"all\":[{\"max\":1,\"min\":0}],\"kind\":\"SMALL\",\"unknown\":1}",
                Spec.class);
        assertThat(spec)
                .isEqualTo(new Spec("1G", new Limits(3, null, false), List.of(new Limits(1, 0, false)), Size.SMALL));
    }

    @Test
    void bindsAbsentValuesToNullAndZero() {
        assertThat(this.<Spec>bind("{}", Spec.class)).isEqualTo(new Spec(null, null, List.of(), null));
        assertThat(this.<Limits>bind("{}", Limits.class)).isEqualTo(new Limits(0, null, false));
        assertThat(this.<Limits>bind("{\"max\":null}", Limits.class)).isEqualTo(new Limits(0, null, false));
    }

    @Test
    void bindsOtherTypes() {
        assertThat(this.<Integer>bind("5", int.class)).isEqualTo(5);
        assertThat(this.<Bean>bind("{\"name\":\"x\"}", Bean.class).getName()).isEqualTo("x");
        assertThat(this.<Instant>bind("\"2020-01-02T03:04:05Z\"", Instant.class))
                .isEqualTo(Instant.parse("2020-01-02T03:04:05Z"));
        assertThat(this.<Optional<?>>bind("null", Optional.class)).isEmpty();
        assertThat(this.<JsonNode>bind("{\"a\":1}", JsonNode.class)).isEqualTo(Json.parse("{\"a\":1}"));
        assertThat(this.<String>bind("5", String.class)).isEqualTo("5");
    }

    record Trees(ObjectNode tree, List<JsonNode> all, Optional<JsonNode> any) {}

    @Test
    void bindsToTreesOfTheirOwn() {
        ObjectNode source = (ObjectNode) Json.parse("{\"tree\":{\"a\":1},\"all\":[{}],\"any\":{}}");
        for (Type type : List.of(ObjectNode.class, JsonNode.class)) {
            ObjectNode taken = Json.bind(source, type);
            assertThat(taken).isEqualTo(source);
            taken.withObject("tree").put("b", 2);
        }
        Trees trees = Json.bind(source, Trees.class);
        trees.tree().put("b", 2);
        ((ObjectNode) trees.all().getFirst()).put("b", 2);
        ((ObjectNode) trees.any().orElseThrow()).put("b", 2);
        assertThat(source).isEqualTo(Json.parse("{\"tree\":{\"a\":1},\"all\":[{}],\"any\":{}}"));
    }

    @Test
    void namesPathFoundAndExpectedWhenItDoesNotBind() {
        assertMisfit("{\"limits\":{\"max\":\"big\"}}", "spec.limits.max: expected int, but found the string \"big\"");
        assertMisfit("{\"limits\":{\"max\":1.5}}", "spec.limits.max: expected int, but found the number 1.5");
        assertMisfit("{\"limits\":[1]}", "spec.limits: expected Limits, but found the list [1]");
        assertMisfit("{\"all\":[{},{\"min\":{}}]}", "spec.all[1].min: expected Integer, but found the object {}");
        assertMisfit("{\"size\":{\"x\":1}}", "spec.size: expected String, but found the object {\"x\":1}");
        assertMisfit("{\"kind\":\"HUGE\"}", "spec.kind: expected one of [SMALL, LARGE], but found the string \"HUGE\"");
        assertMisfit("\"text\"", "spec: expected Spec, but found the string \"text\"");
        assertMisfit("null", "spec: expected Spec, but found null");
    }

    @Test
    void passesOnWhatTheTypeItselfRefuses() {
        assertThatThrownBy(() -> bind("{\"value\":-1}", Positive.class))
                .isInstanceOf(JsonConversionException.class)
                .hasMessage("the value itself: refused by Positive: value must be positive, but is -1");
    }

    private static void assertMisfit(String json, String message) {
        JsonNode node = Json.parse(json);
        assertThatThrownBy(() -> Json.bind(node, Spec.class, FieldPath.of("spec"), Json.mapper()))
                .isInstanceOf(JsonConversionException.class)
                .hasMessage(message);
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    private <T> T bind(String json, Type type) {
        return Json.bind(Json.parse(json), type);
    }

    /** Beside each text stands what its objects take, counted by their fields. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            []               | 48
            [0]              | 104
            {}               | 88
            {"k":0}          | 208
            {"unique":"x"}   | 340
            [[],{}]          | 250
            "x"              | 50
            "[[[[{{{{,,,,"   | 50
            "\\"[[[[{{{{,,,," | 50
            """)
    void theMemoryOfATreeIsKnownBeforeItIsMade(String text, int bytes) {
        assertThat(JsonLimits.treeBytes(text.getBytes(UTF_8)))
                .isBetween((long) bytes, bytes * 3L / 2 + 2L * text.length());
    }

    /** In UTF-16 a letter may have the byte of a quotation mark: it must not hide what follows. */
    @ParameterizedTest
    @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32BE", "UTF-32LE"})
    void noEncodingHidesTheValuesOfATree(String encoding) {
        String text = "[\"\u2200\u0122\"" + ",[]".repeat(1000) + "]";
        assertThat(Json.parse(text.getBytes(Charset.forName(encoding))).size()).isEqualTo(1001);
        assertThat(JsonLimits.treeBytes(text.getBytes(Charset.forName(encoding))))
                .isGreaterThan(48_000);
    }
}
