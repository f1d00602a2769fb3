package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.ExplicitRegistration;
import dev.kopf4j.OnConvert;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What the check of round trips finds, and what it tells. */
@Tag("J30")
class ConversionRoundTripsTest {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.example.com}
            spec:
              scope: Namespaced
              group: example.com
              names: {kind: Widget, plural: widgets}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        required: [size]
                        properties:
                          size: {type: string, pattern: '^[0-9]+x[0-9]+$'}
                          color: {type: string, enum: [red, green]}
                          tags: {type: array, items: {type: string}}
              - name: v2
                served: true
                storage: false
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        required: [width, height]
                        properties:
                          width: {type: integer, minimum: 1, maximum: 9}
                          height: {type: integer, minimum: 1}
                          color: {type: string}
                          ports: {type: array, maxItems: 2, items: {type: object, properties: {port: {type: integer}}}}
                      status: {type: object, x-kubernetes-preserve-unknown-fields: true}
              - name: v0
                served: false
                storage: false
            """;

    record V1Spec(String size, @Nullable String color) {}

    record V2Spec(
            int width,
            int height,
            @Nullable String color,
            @Nullable List<Object> ports) {}

    static V2Spec up(V1Spec spec, @Nullable String color) {
        String[] sides = spec.size().split("x", -1);
        return new V2Spec(Integer.parseInt(sides[0]), Integer.parseInt(sides[1]), color, null);
    }

    @ExplicitRegistration
    static class Faithful {
        record Size(String size) {}

        record Sides(int width, int height) {}

        @OnConvert(value = "widgets.example.com", from = "v1", to = "v2")
        Sides up(Size spec) {
            String[] sides = spec.size().split("x", -1);
            return new Sides(Integer.parseInt(sides[0]), Integer.parseInt(sides[1]));
        }

        @OnConvert(value = "widgets.example.com", from = "v2", to = "v1")
        Size down(Sides spec) {
            return new Size(spec.width() + "x" + spec.height());
        }
    }

    @ExplicitRegistration
    static class Lossy {
        @OnConvert(value = "widgets.example.com", from = "v1", to = "v2")
        V2Spec up(V1Spec spec) {
            return ConversionRoundTripsTest.up(spec, null);
        }

        @OnConvert(value = "widgets.example.com", from = "v2", to = "v1")
        V1Spec down(V2Spec spec) {
            return new V1Spec(spec.width() + "x" + Math.min(spec.height(), 5), spec.color());
        }
    }

    private static ConversionRoundTrips trips(Class<?> handlers) {
        return ConversionRoundTrips.of(DEFINITION, operator -> operator.handlers(handlers))
                .value("v1", "spec.size", random -> random.nextInt(1, 9) + "x" + random.nextInt(1, 6));
    }

    @Test
    void nothingIsToldOfConversionsThatLoseNothing() throws InterruptedException {
        trips(Faithful.class).check();
    }

    @Test
    void whatIsLostOrChangedIsNamedWithTheSeed() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> trips(Lossy.class).seed(7).check())
                .withMessageContaining(".seed(7L)")
                .withMessageContaining("v1 -> v2 -> v1: spec.color is lost: it was ")
                .withMessageContaining("v2 -> v1 -> v2: spec.color is lost: it was ")
                .withMessageContaining("v2 -> v1 -> v2: spec.ports is lost: it was ")
                .withMessageContaining("v2 -> v1 -> v2: spec.height was ")
                .satisfies(error -> assertThat(error.getMessage())
                        .doesNotContain("spec.width", "spec.tags", "status", "metadata", "spec.size"));
    }

    @Test
    void whatMayChangeIsNotTold() throws InterruptedException {
        trips(Lossy.class)
                .mayChange("v1", "spec.color")
                .mayChange("v2", "spec.color")
                .mayChange("v2", "spec.height")
                .mayChange("v2", "spec.ports")
                .check();
    }

    @Test
    void theSameSeedMakesTheSameObjects() {
        List<String> messages = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            try {
                trips(Lossy.class).seed(42).objects(10).check();
            } catch (AssertionError e) {
                messages.add(e.getMessage());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        assertThat(messages).hasSize(2);
        assertThat(messages.getFirst()).isEqualTo(messages.getLast());
    }

    @Test
    void objectsThatCannotBeConvertedAreNamed() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> trips(Faithful.class)
                        .value("v1", "spec.size", random -> "big")
                        .check())
                .withMessageContaining("v1 -> v2 -> v1: Widget default/object-")
                .withMessageContaining(
                        "cannot be converted from example.com/v1 to example.com/v2: the spec: For input");
    }

    @Test
    void patternsNeedAGeneratorUnlessChanceFindsThem() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> ConversionRoundTrips.of(DEFINITION, operator -> operator.handlers(Faithful.class))
                        .check())
                .withMessageContaining("say how one is made, as in .value(\"v1\", \"spec.size\", ");
    }

    @Test
    void definitionsHaveToBeThere() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ConversionRoundTrips.of("kind: Pod", operator -> operator.handlers(Faithful.class)))
                .withMessage("there are conversions for widgets.example.com, but the manifests do not define it");
    }

    @Test
    void valuesFitTheirSchemas() {
        for (long seed = 0; seed < 200; seed++) {
            SchemaValues values = new SchemaValues(new java.util.Random(seed), "v1", new LinkedHashMap<>());
            assertThat((Integer) values.make(Map.of("type", "integer", "minimum", 3, "maximum", 5), "x"))
                    .as("seed %s", seed)
                    .isBetween(3, 5);
            assertThat((Integer) values.make(
                            Map.of("type", "integer", "minimum", 3, "exclusiveMinimum", true, "multipleOf", 4), "x"))
                    .as("seed %s", seed)
                    .isGreaterThan(3)
                    .matches(made -> made % 4 == 0);
            assertThat((String) values.make(Map.of("type", "string", "minLength", 2, "maxLength", 3), "x"))
                    .as("seed %s", seed)
                    .hasSizeBetween(2, 3);
            assertThat((List<?>) values.make(
                            Map.of("type", "array", "minItems", 1, "maxItems", 2, "items", Map.of("type", "boolean")),
                            "x"))
                    .as("seed %s", seed)
                    .hasSizeBetween(1, 2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{type: array, minItems: 2, items: {type: boolean}, x-kubernetes-list-type: set}",
                "{type: array, minItems: 3, uniqueItems: true, items: {type: string, enum: [a, b, c]}}",
            })
    void itemsOfSetsDiffer(String schema) {
        for (long seed = 0; seed < 200; seed++) {
            assertThat((List<?>) values(seed).make(yaml(schema), "spec.tags"))
                    .as("seed %s", seed)
                    .doesNotHaveDuplicates()
                    .hasSizeGreaterThanOrEqualTo(2);
        }
    }

    /** A key that is absent is that of the default. */
    @Test
    void itemsOfMapsDifferInTheirKeys() {
        Map<?, ?> schema = yaml("""
                {type: array, minItems: 2, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [port, protocol],
                 items: {type: object, required: [port], properties: {
                   port: {type: integer, minimum: 1, maximum: 3}, protocol: {type: string, enum: [TCP, UDP], default: TCP},
                   note: {type: string}}}}""");
        for (long seed = 0; seed < 200; seed++) {
            assertThat((List<?>) values(seed).make(schema, "spec.ports"))
                    .as("seed %s", seed)
                    .extracting(item -> {
                        Map<?, ?> port = (Map<?, ?>) item;
                        return port.get("port") + " " + (port.containsKey("protocol") ? port.get("protocol") : "TCP");
                    })
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void aListOfMoreItemsThanThereAreValuesIsNamed() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> values(1)
                        .make(
                                yaml("{type: array, minItems: 3, items: {type: boolean}, x-kubernetes-list-type: set}"),
                                "spec.flags"))
                .withMessageContaining("no 3 different values for spec.flags were found")
                .withMessageContaining(".value(\"v2\", \"spec.flags\", random -> List.of(...))");
    }

    private static Map<?, ?> yaml(String text) {
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
    }

    private static SchemaValues values(long seed) {
        return new SchemaValues(new Random(seed), "v2", Map.of());
    }

    private static List<Number> numbers(Map<String, ?> schema) {
        SchemaValues values = values(1);
        List<Number> made = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            made.add((Number) Objects.requireNonNull(values.make(schema, "spec.size")));
        }
        return made;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            minimum 0, maximum 4294967295                | 0             | 4294967295
            minimum 3000000000                           | 3000000000    | 3000000200
            maximum -3000000000                          | -3000000200   | -3000000000
            maximum 1e30, minimum 9223372036854775000    | 9223372036854775000 | 9223372036854775807
            format int32, minimum 0, maximum 3000000000  | 0             | 2147483647
            format int32, minimum -2147483648, maximum 2147483647 | -1   | 200
            format int32, minimum 0, maximum 2147483647  | 0             | 200
            format int64, minimum 1                      | 1             | 9223372036854775807
            multipleOf 0.01                              | -1            | 200
            """)
    void wholeNumbersAreBetweenTheirLimitsHoweverLarge(String limits, long least, long most) {
        assertThat(numbers(schema("integer", limits)))
                .extracting(Number::longValue)
                .allSatisfy(made -> assertThat(made).isBetween(least, most))
                .satisfies(made -> assertThat(Set.copyOf(made)).hasSizeGreaterThan(50));
    }

    private static Map<String, Object> schema(String type, String limits) {
        Map<String, Object> schema = new LinkedHashMap<>(Map.of("type", type));
        for (String limit : limits.split(", ", -1)) {
            String[] words = limit.split(" ", -1);
            schema.put(words[0], words[0].equals("format") ? words[1] : new BigDecimal(words[1]));
        }
        return schema;
    }

    @Test
    void someNumbersOf64BitsAreBeyond32() {
        assertThat(numbers(Map.of("type", "integer", "format", "int64")))
                .anyMatch(made -> made.longValue() > Integer.MAX_VALUE)
                .anyMatch(made -> made.longValue() < Integer.MIN_VALUE)
                .anyMatch(made -> made.longValue() == made.intValue());
        assertThat(numbers(Map.of("type", "integer", "minimum", 0, "maximum", 4_294_967_295L)))
                .anyMatch(made -> made.longValue() > Integer.MAX_VALUE);
    }

    @Test
    void fractionsFitTheirLimitsAndSteps() {
        assertThat(numbers(Map.of("type", "number", "minimum", 0.1, "maximum", 0.4)))
                .allMatch(made -> made.doubleValue() >= 0.1 && made.doubleValue() <= 0.4)
                .anyMatch(made -> made.doubleValue() > 0.2);
        assertThat(numbers(Map.of("type", "number", "minimum", 0, "maximum", 1, "multipleOf", 0.01)))
                .allMatch(made -> new BigDecimal(made.toString()).scale() <= 2)
                .anyMatch(made -> made.doubleValue() == 0.07);
        assertThat(numbers(Map.of("type", "number", "maximum", 5)))
                .allMatch(made -> made.doubleValue() <= 5)
                .anyMatch(made -> made.doubleValue() != made.intValue());
    }

    @Test
    void aNumberThatCannotBeMadeIsNamed() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> values(1)
                        .make(Map.of("type", "integer", "minimum", 3, "maximum", 3, "multipleOf", 2), "spec.size"))
                .withMessageContaining("no value for spec.size fits its schema ")
                .withMessageContaining(".value(\"v2\", \"spec.size\", random -> 7)");
    }

    @Test
    void sizesBeyondAnIntAreNoProblem() {
        long many = 1L << 31;
        for (long seed = 0; seed < 50; seed++) {
            assertThat((List<?>) values(seed)
                            .make(Map.of("type", "array", "maxItems", many, "items", Map.of("type", "boolean")), "x"))
                    .hasSizeLessThan(4);
            assertThat((String) values(seed).make(Map.of("type", "string", "maxLength", many), "x"))
                    .hasSizeBetween(1, 9);
        }
    }

    private static final String DEFAULTED = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: pools.example.com}
            spec:
              scope: Namespaced
              group: example.com
              names: {kind: Pool, plural: pools}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, default: {}, properties: {
                  replicas: {type: integer, default: 1}, at: {type: string, default: noon}}}}}}
              - name: v2
                served: true
                storage: false
                schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, default: {}, properties: {
                  replicas: {type: integer, default: 1},
                  backup: {type: object, default: {}, properties: {at: {type: string, default: noon}}}}}}}}
            """;

    @ExplicitRegistration
    static class Defaulted {
        record Flat(int replicas, String at) {}

        record Nested(int replicas, Backup backup) {}

        record Backup(String at) {}

        @OnConvert(value = "pools.example.com", from = "v1", to = "v2")
        Nested up(Flat spec) {
            return new Nested(spec.replicas(), new Backup(spec.at()));
        }

        @OnConvert(value = "pools.example.com", from = "v2", to = "v1")
        Flat down(Nested spec) {
            return new Flat(spec.replicas(), spec.backup().at());
        }
    }

    /** No API server asks for the conversion of an object without them. */
    @Test
    void objectsHaveTheDefaultsOfTheirSchemas() throws InterruptedException {
        ConversionRoundTrips.of(DEFAULTED, operator -> operator.handlers(Defaulted.class))
                .seed(1)
                .check();
    }

    private static final String COUNTERS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: counters.example.com}
            spec:
              scope: Namespaced
              group: example.com
              names: {kind: Counter, plural: counters}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, required: [count], properties: {
                  count: {type: integer, format: int64, minimum: 0, maximum: 4294967295}}}}}}
              - name: v2
                served: true
                storage: false
                schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, required: [number], properties: {
                  number: {type: integer, format: int32, minimum: 0}}}}}}
            """;

    @ExplicitRegistration
    static class Narrowing {
        record Count(long count) {}

        record Total(int number) {}

        @OnConvert(value = "counters.example.com", from = "v1", to = "v2")
        Total up(Count spec) {
            return new Total((int) spec.count());
        }

        @OnConvert(value = "counters.example.com", from = "v2", to = "v1")
        Count down(Total spec) {
            return new Count(spec.number());
        }
    }

    @Test
    void aConversionThatCutsNumbersOffIsFound() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> ConversionRoundTrips.of(COUNTERS, operator -> operator.handlers(Narrowing.class))
                        .seed(1)
                        .check())
                .withMessageContaining("v1 -> v2 -> v1: spec.count was ");
    }
}
