package dev.kopf4j.fabric8;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.kopf4j.BindingException;
import dev.kopf4j.Field;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnCreate;
import dev.kopf4j.Operator;
import dev.kopf4j.Patch;
import dev.kopf4j.PermanentException;
import dev.kopf4j.View;
import dev.kopf4j.engine.call.HandlerResult;
import dev.kopf4j.engine.conversion.ConversionFunction;
import dev.kopf4j.engine.conversion.ConversionFunction.ConversionOptionsDraft;
import dev.kopf4j.engine.conversion.ConversionReviews.OperatorConversions;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectPatch;
import dev.kopf4j.object.PatchContent;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Quantities and models in records, lists and maps are read and written as fabric8 does it. */
class ModelsInsideTest {
    record Volume(Quantity size, IntOrString port) {
        static final Volume ONE = new Volume(new Quantity("5Gi"), new IntOrString(8080));
        static final Map<String, Object> MAP = Map.of("size", "5Gi", "port", 8080);
    }

    record Capacity(Quantity capacity, IntOrString port) {}

    record Disks(List<Volume> disks, Map<String, Quantity> limits, Optional<Quantity> most, PodSpec pod, Object any) {
        static final Disks SOME = new Disks(
                List.of(Volume.ONE),
                Map.of("a", new Quantity("1")),
                Optional.of(new Quantity("9Gi")),
                new PodSpecBuilder()
                        .withContainers(new ContainerBuilder()
                                .withName("web")
                                .withResources(new ResourceRequirementsBuilder()
                                        .addToLimits("cpu", new Quantity("100m"))
                                        .build())
                                .build())
                        .build(),
                JsonNodeFactory.instance.objectNode().put("x", 1));
        static final Map<String, Object> MAP = Map.of(
                "disks",
                List.of(Volume.MAP),
                "limits",
                Map.of("a", "1"),
                "most",
                "9Gi",
                "pod",
                Map.of(
                        "containers",
                        List.of(Map.of("name", "web", "resources", Map.of("limits", Map.of("cpu", "100m"))))),
                "any",
                Map.of("x", 1));
    }

    private static Patch patch() {
        return new ObjectPatch(Json::object, new PatchContent());
    }

    @Test
    @Tag("J24")
    void stayAsTheyAreWhenObjectsAreConverted() throws InterruptedException {
        String definition = "disks.example.com";
        List<ConversionFunction> functions = Stream.of(
                        ConversionOptionsDraft.declare(
                                definition,
                                "v1",
                                "v2",
                                c -> c.spec(Volume.class, v1 -> new Capacity(v1.size(), v1.port()))),
                        ConversionOptionsDraft.declare(
                                definition,
                                "v2",
                                "v1",
                                c -> c.spec(Capacity.class, v2 -> new Volume(v2.capacity(), v2.port()))))
                .flatMap(List::stream)
                .toList();
        OperatorConversions conversions = new OperatorConversions(functions, List.of("kopf.zalando.org"));
        Map<String, @Nullable Object> one = Map.of(
                "apiVersion",
                "example.com/v1",
                "kind",
                "Disk",
                "metadata",
                Map.of("name", "one", "uid", "u1"),
                "spec",
                Map.of("size", "5Gi", "port", 8080, "unknown", 1));
        Map<String, @Nullable Object> other = conversions.convert(definition, one, "example.com/v2");
        assertThat(other.get("spec")).isEqualTo(Map.of("capacity", "5Gi", "port", 8080, "unknown", 1));
        assertThat(conversions.convert(definition, other, "example.com/v1")).isEqualTo(one);
    }

    @Test
    @Tag("M11")
    void areWrittenInAStatus() {
        assertThat(patch().status(Volume.ONE).toMap()).isEqualTo(Map.of("status", Volume.MAP));
        assertThat(patch().status(Disks.SOME).toMap()).isEqualTo(Map.of("status", Disks.MAP));
        assertThat(new ObjectPatch(() -> Json.parseObject("""
                        {"status": {"size": "5Gi", "port": 8080}}""".getBytes(UTF_8)), new PatchContent())
                        .status(Volume.ONE)
                        .isEmpty())
                .as("nothing differs")
                .isTrue();
    }

    @Test
    @Tag("L62")
    void areWrittenInPatches() {
        assertThat(patch().set("spec", Volume.ONE)
                        .set("spec.most", new Quantity("9Gi"))
                        .set(
                                "spec.resources",
                                Disks.SOME.pod().getContainers().getFirst().getResources())
                        .merge(Map.of("status", Map.of("any", List.of(new IntOrString("http")))))
                        .toMap())
                .isEqualTo(Map.of(
                        "spec",
                        Map.of(
                                "size",
                                "5Gi",
                                "port",
                                8080,
                                "most",
                                "9Gi",
                                "resources",
                                Map.of("limits", Map.of("cpu", "100m"))),
                        "status",
                        Map.of("any", List.of("http"))));
    }

    @Test
    void areWrittenInTransformations() {
        PatchContent content = new PatchContent();
        new ObjectPatch(Json::object, content).transform(body -> body.put("size", new Quantity("5Gi")));
        assertThat(Json.toJava(content.previewAll(Json.object()))).isEqualTo(Map.of("size", "5Gi"));
    }

    @Test
    void areWrittenInResults() {
        assertThat(Json.toJava(HandlerResult.json(Volume.ONE))).isEqualTo(Volume.MAP);
        assertThat(Json.toJava(HandlerResult.json(Map.of("size", new Quantity("5Gi"), "pod", Disks.SOME.pod()))))
                .isEqualTo(Map.of("size", "5Gi", "pod", Disks.MAP.get("pod")));
        assertThat(Json.toJava(HandlerResult.json(new Quantity("5Gi")))).isEqualTo("5Gi");
        assertThat(Json.toJava(HandlerResult.json(Disks.SOME.any()))).isEqualTo(Map.of("x", 1));
    }

    @Test
    void areReadInRecords() {
        assertThat(View.of(Volume.MAP).as(Volume.class)).isEqualTo(Volume.ONE);
        assertThat(View.of(Volume.MAP).get("size", Quantity.class)).contains(new Quantity("5Gi"));
        Disks read = View.of(Disks.MAP).as(Disks.class);
        assertThat(read.disks()).containsExactly(Volume.ONE);
        assertThat(read.limits()).isEqualTo(Disks.SOME.limits());
        assertThat(read.most()).isEqualTo(Disks.SOME.most());
        assertThat(read.pod()).isEqualTo(Disks.SOME.pod());
        assertThat(View.of(Map.of()).as(Volume.class).size()).isNull();
    }

    @Test
    void whatDoesNotFitIsToldWithItsPath() {
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(
                        () -> View.of(Map.of("pod", Map.of("containers", 5))).as(Disks.class))
                .withMessageContaining("pod: refused by PodSpec: containers");
    }

    record OfJackson2(
            @JsonDeserialize(contentAs = String.class) List<Object> names) {}

    record Around(List<OfJackson2> parts) {}

    @JsonDeserialize(builder = Object.class, using = JsonDeserializer.None.class)
    record WithBuilder(@JsonSerialize(as = Object.class) String name) {}

    record OfBothJacksons(
            @JsonSerialize(as = Object.class)
            @tools.jackson.databind.annotation.JsonSerialize(
                    using = tools.jackson.databind.ser.std.ToStringSerializer.class)
            String name) {}

    static final class Miswriting {
        @OnCreate("kex")
        List<WithBuilder> fn() {
            return List.of();
        }
    }

    static final class Misreading {
        @OnCreate("kex")
        void fn(@Field("spec") Around spec) {}
    }

    static final class Reading {
        @OnCreate("kex")
        void fn(@Field("spec") WithBuilder spec, @Field("spec.volume") Volume volume) {}
    }

    @Test
    void annotationsOfAnotherJacksonAreRefusedWhereTheyWouldMatter() {
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> Operator.builder().handlers(new Misreading()).build())
                .withMessageContaining("parameter 'Around spec'")
                .withMessageContaining("@JsonDeserialize of 'names' of OfJackson2 would not be followed")
                .withMessageContaining("com.fasterxml.jackson.databind.annotation is of another Jackson")
                .withMessageContaining("take a type that is read and written as it is to be");
        Operator.builder().handlers(new Reading()).build();
        assertThat(View.of(Map.of("name", "a")).as(WithBuilder.class).name()).isEqualTo("a");
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> Operator.builder().handlers(new Miswriting()).build())
                .withMessageContaining("Miswriting.fn() returns cannot be stored")
                .withMessageContaining("@JsonSerialize of 'name' of WithBuilder");
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> HandlerResult.json(new WithBuilder("a")))
                .withMessageContaining("@JsonSerialize of 'name' of WithBuilder");
        assertThat(HandlerResult.json(new OfBothJacksons("a"))).hasToString("{\"name\":\"a\"}");
    }
}
