package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.ExplicitRegistration;
import dev.kopf4j.OnConvert;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
            SchemaValues values = new SchemaValues(new java.util.Random(seed), new LinkedHashMap<>());
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
}
