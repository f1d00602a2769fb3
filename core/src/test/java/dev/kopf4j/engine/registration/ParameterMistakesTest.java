package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.kopf4j.Annotation;
import dev.kopf4j.Body;
import dev.kopf4j.CustomObject;
import dev.kopf4j.Field;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Label;
import dev.kopf4j.Meta;
import dev.kopf4j.OnChild;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDaemon;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnMutate;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.OnValidate;
import dev.kopf4j.Operator;
import dev.kopf4j.Patch;
import dev.kopf4j.Spec;
import dev.kopf4j.Status;
import dev.kopf4j.View;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.simulation.LoggerCapture;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.MethodParametersAttribute;
import java.lang.classfile.attribute.NestHostAttribute;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import tools.jackson.databind.JsonNode;

/** What is said of parameters and results that make no sense: all at once, with what was probably meant. */
@SuppressWarnings({"unused", "DoNotCallSuggester"}) // handlers are found by reflection
class ParameterMistakesTest {
    private static List<String> mistakes(Object handlers) {
        HandlerDeclarationException mistake = catchThrowableOfType(
                HandlerDeclarationException.class,
                () -> RegistryBuilder.build(
                        OperatorPlan.of(Operator.builder().handlers(handlers)).registrations()));
        return String.valueOf(mistake.getMessage()).lines().toList();
    }

    static final class Several {
        @OnCreate("kex")
        void one(String nmae, StringBuilder what) {}

        @OnUpdate("kex")
        void other(Integer spce, String name) {}
    }

    @Test
    void allWrongParametersOfAClassAreTold() {
        assertThat(mistakes(new Several()))
                .satisfiesExactly(
                        line -> assertThat(line).contains("'String nmae' of Several.one", "did you mean 'name'?"),
                        line -> assertThat(line)
                                .contains("'StringBuilder what' of Several.one", "not known what to give")
                                .doesNotContain("did you mean"),
                        line -> assertThat(line).contains("'Integer spce' of Several.other", "did you mean 'spec'?"));
    }

    static final class WrongType {
        @OnCreate("kex")
        void one(int name) {}
    }

    @Test
    void aKnownNameOfAnotherTypeIsTold() {
        assertThat(mistakes(new WrongType()))
                .singleElement()
                .asString()
                .contains("'int name' of WrongType.one", "'name' has another type; possible are", "String name");
    }

    static final class Activities {
        @OnStartup
        void begin(int rerty, String place) {}
    }

    @Test
    void thoseOfActivitiesAreToldToo() {
        assertThat(mistakes(new Activities()))
                .satisfiesExactly(
                        line -> assertThat(line).contains("rerty", "did you mean 'retry'?"),
                        line -> assertThat(line).contains("place", "not known what to give"));
    }

    @CustomResource(group = "kopf.dev", version = "v1", kind = "Website")
    record Website(int size) {}

    static class Nameless {
        @OnUpdate("kex")
        void bodies(Body oldValue, Body newValue) {}

        @OnUpdate("kex")
        void types(Website oldValue) {}

        @OnUpdate("kex")
        void objects(CustomObject<Map<String, String>, Map<String, String>> oldValue) {}

        @OnValidate("kex")
        void requests(Website oldValue) {}

        @OnChild(value = "configmaps", parent = "kex")
        void children(Body child) {}

        @OnChild(value = "configmaps", parent = "kex")
        void parents(Meta meta) {}

        @OnEvent("kex")
        void events(Body body, Website website, Spec spec, HandlerContext context, Logger logger) {}

        @OnCreate("kex")
        void stanzas(Spec spec, Status status, Meta meta) {}

        @OnValidate("kex")
        void stanzasOfRequests(Spec spec, Status status, Meta meta) {}
    }

    /** The class as a compiler makes it without {@code -parameters}. */
    private static Class<?> withoutNames(Class<?> type) throws Exception {
        byte[] file;
        try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(
                type.getName().substring(type.getPackageName().length() + 1) + ".class"))) {
            file = in.readAllBytes();
        }
        ClassTransform withoutNames = ClassTransform.transformingMethods(
                        MethodTransform.dropping(MethodParametersAttribute.class::isInstance))
                .andThen(ClassTransform.dropping(InnerClassesAttribute.class::isInstance))
                .andThen(ClassTransform.dropping(NestHostAttribute.class::isInstance));
        byte[] without = ClassFile.of().transformClass(ClassFile.of().parse(file), withoutNames);
        return new ClassLoader(type.getClassLoader()) {
            Class<?> made() {
                return defineClass(type.getName(), without, 0, without.length);
            }
        }.made();
    }

    @Test
    void whereTheNameDecidesItMustBeInTheClassFile() throws Exception {
        assertThat(mistakes(withoutNames(Nameless.class)))
                .allSatisfy(line -> assertThat(line)
                        .contains(
                                "compiled without -parameters: add that option to javac",
                                "or -java-parameters to kotlinc",
                                "it may be "))
                .extracting(line -> line.replaceAll(".*Nameless[.](\\w+).*; it may be (.*)", "$1: $2"))
                .containsExactly(
                        "bodies: oldValue or newValue",
                        "bodies: oldValue or newValue",
                        "types: oldValue or newValue",
                        "objects: oldValue or newValue",
                        "requests: oldValue or newValue",
                        "children: oldValue or newValue, or child",
                        "parents: oldValue or newValue, or child");
    }

    static final class Stanzas {
        @OnCreate("kex")
        void one(@Field("spec.template") Spec spec, @Field("metadata") Body body) {}
    }

    @Test
    void aFieldIsNoStanza() {
        assertThat(mistakes(new Stanzas()))
                .satisfiesExactly(
                        line -> assertThat(line).endsWith("a field is no Spec: take View, or a type of your own"),
                        line -> assertThat(line).endsWith("a field is no Body: take View, or a type of your own"));
    }

    static final class Blanks {
        @OnCreate("kex")
        void one(@Label(" tier") String label, @Annotation("owner\n") String annotation) {}

        @OnCreate("kex")
        void two(@Field("spec.size ") String field) {}
    }

    static final class BlankField {
        @OnTimer(value = "kex", field = "spec.size ", interval = "1h")
        void one() {}
    }

    @Test
    void keysThatNoObjectHasAreTold() {
        assertThat(mistakes(new Blanks()))
                .satisfiesExactly(
                        line -> assertThat(line).contains("@Label has blanks in its key: ' tier'"),
                        line -> assertThat(line).contains("@Annotation has blanks in its key: 'owner"),
                        line -> assertThat(line).contains("no key has any"),
                        line -> assertThat(line).contains("@Field has blanks around a key: 'spec.size '"));
        assertThat(mistakes(new BlankField()))
                .singleElement()
                .asString()
                .contains("the field has blanks around a key: 'spec.size '; leave them out");
    }

    static class Open<S> {
        @OnCreate("kex")
        void one(CustomObject<S, String> object, List<S> spec) {}

        @OnCreate("kex")
        <T> void other(@Field("spec") T field) {}
    }

    @Test
    void typeVariablesThatNobodyKnowsAreTold() {
        assertThat(mistakes(new Open<String>()))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains(
                                        "'CustomObject object' of Open.one",
                                        "CustomObject<S, java.lang.String> is in Open"),
                        line -> assertThat(line)
                                .contains("'List spec' of Open.one", "what java.util.List<S> is in Open"),
                        line -> assertThat(line).contains("'Object field' of Open.other", "what T is in Open"));
    }

    static final class Results {
        @OnCreate("kex")
        Thread thread() {
            throw new AssertionError("never called");
        }

        @OnUpdate("kex")
        CompletableFuture<String> future() {
            throw new AssertionError("never called");
        }

        @OnDaemon("kex")
        java.io.InputStream stream() {
            throw new AssertionError("never called");
        }
    }

    @Test
    void whatIsNoDataCannotBeAResult() {
        assertThat(mistakes(new Results()))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("Results.thread() returns a Thread, and nobody waits for it", "@OnDaemon"),
                        line -> assertThat(line)
                                .contains("Results.future() returns a CompletableFuture, and nobody waits"),
                        line -> assertThat(line)
                                .contains("Results.stream() returns a InputStream, which is no data")
                                .doesNotContain("@OnDaemon"));
    }

    static final class Answers {
        @OnValidate("kex")
        boolean check() {
            throw new AssertionError("never called");
        }

        @OnMutate("kex")
        Map<String, Object> fill() {
            throw new AssertionError("never called");
        }
    }

    static final class Nothings {
        @OnValidate("kex")
        @Nullable Void none() {
            return null;
        }

        @OnValidate("kex")
        @Nullable Object any() {
            return null;
        }

        @OnMutate("kex")
        Patch patch(Patch patch) {
            return patch;
        }
    }

    /** They would let everything pass, and change nothing. */
    @Test
    void whatIsNoAnswerToAReviewCannotBeReturned() {
        assertThat(mistakes(new Answers()))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains(
                                        "@OnValidate on Answers.check() returns a boolean",
                                        "to refuse, throw an AdmissionException")
                                .doesNotContain("Patch"),
                        line -> assertThat(line)
                                .contains(
                                        "@OnMutate on Answers.fill() returns a Map",
                                        "to refuse, throw an AdmissionException",
                                        "take a Patch"));
        assertThat(RegistryBuilder.build(OperatorPlan.of(Operator.builder().handlers(new Nothings()))
                        .registrations()))
                .isNotNull();
    }

    record SizeSpec(int size) {}

    @CustomResource(group = "kopf.dev", version = "v1", kind = "Typed", status = SizeSpec.class)
    record TypedSpec(int size, Map<String, String> data) {}

    static final class PartsForWholes {
        @OnUpdate("kex")
        void update(SizeSpec oldValue, SizeSpec newValue) {}

        @OnCreate("kex")
        void create(Optional<SizeSpec> newValue) {}

        @OnUpdate("kex")
        void custom(TypedSpec oldValue) {}

        @OnValidate(value = "kex", field = "spec")
        void check(SizeSpec oldValue) {}
    }

    static class Delegating {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Delegating(Map<String, Object> object) {}
    }

    static class Others {
        public int size;

        @JsonAnySetter
        public Map<String, Object> others = Map.of();
    }

    record Unwrapped(@JsonUnwrapped Essence essence) {}

    record Essence(SizeSpec spec) {}

    record Renamed(@JsonProperty("spec") SizeSpec wanted) {}

    record Aliased(@JsonAlias("spec") SizeSpec wanted) {}

    record Data(Map<String, String> data) {}

    static final class Wholes {
        @OnUpdate("kex")
        void typed(Essence oldValue, Data newValue) {}

        @OnUpdate(value = "kex", id = "named")
        void named(Renamed oldValue, Aliased newValue) {}

        @OnUpdate(value = "kex", id = "others")
        void others(Unwrapped oldValue, Others newValue) {}

        @OnUpdate(value = "kex", id = "delegating")
        void delegating(Delegating oldValue, JsonNode newValue) {}

        @OnUpdate(value = "kex", id = "views")
        void views(View oldValue, Body newValue) {}

        @OnUpdate(value = "kex", id = "maps")
        void maps(Map<String, Object> oldValue, Object newValue) {}

        @OnUpdate(value = "kex", id = "spec", field = "spec")
        void field(SizeSpec oldValue, SizeSpec newValue) {}

        @OnUpdate(value = "kex", id = "annotated")
        void annotated(@Field("spec") SizeSpec newValue) {}

        @OnValidate("kex")
        void check(Essence oldValue, Optional<Body> newValue) {}
    }

    /** They would be empty on both sides of each change. */
    @Test
    void partsCannotStandForWholeObjects() {
        try (LoggerCapture log = new LoggerCapture("kopf4j.operator")) {
            assertThat(mistakes(new PartsForWholes()))
                    .singleElement()
                    .asString()
                    .contains("'TypedSpec oldValue' of PartsForWholes.custom", "the whole object", "take Body");
            assertThat(log.lines(Level.WARN))
                    .anyMatch(line -> line.contains("'SizeSpec oldValue' of PartsForWholes.update")
                            && line.contains("field = \"spec\""))
                    .anyMatch(line -> line.contains("'Optional newValue' of PartsForWholes.create"))
                    .anyMatch(line ->
                            line.contains("'SizeSpec oldValue' of PartsForWholes.check") && !line.contains("field ="));
        }
        assertThat(RegistryBuilder.build(OperatorPlan.of(Operator.builder().handlers(new Wholes()))
                        .registrations()))
                .isNotNull();
    }
}
