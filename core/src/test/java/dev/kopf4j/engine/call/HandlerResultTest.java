package dev.kopf4j.engine.call;

import static dev.kopf4j.engine.call.HandlerFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.Children;
import dev.kopf4j.Conditions;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.Patch;
import dev.kopf4j.Steps;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.PatchContent;
import java.io.InputStream;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.ref.WeakReference;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests {@link HandlerResult}: which results can be stored in the status. */
public class HandlerResultTest {
    private static PatchContent delivered(String id, String already, Object result) {
        PatchContent patch = new PatchContent();
        patch.merge().setAll(json(already));
        HandlerResult.deliver(id, new Outcome.Succeeded(Json.fromJava(result)), patch);
        return patch;
    }

    @Test
    @Tag("C33")
    void mappingsAreMergedAndOtherValuesSet() {
        assertThat(delivered("fn", "{'status':{'fn':{'a':1},'b':2}}", Map.of("c", 3))
                        .merge())
                .isEqualTo(json("{'status':{'fn':{'a':1,'c':3},'b':2}}"));
        assertThat(delivered("fn", "{'status':{'fn':{'a':1}}}", "text").merge())
                .isEqualTo(json("{'status':{'fn':'text'}}"));
        assertThat(delivered("outer/inner.x", "{}", List.of(1)).merge())
                .as("ids are taken as they are")
                .isEqualTo(json("{'status':{'outer/inner.x':[1]}}"));
    }

    @Test
    @Tag("C33")
    void whatIsNoDataIsRefusedInWords() {
        for (Object value : List.of(
                new IllegalStateException("returned, not thrown"),
                LoggerFactory.getLogger("x"),
                new Thread(() -> {}),
                Executors.newVirtualThreadPerTaskExecutor())) {
            assertThatThrownBy(() -> HandlerResult.json(value))
                    .hasMessageContaining(
                            "the handler has returned a " + value.getClass().getSimpleName());
        }
        assertThat(HandlerResult.ResultTypes.problem(Patch.class)).isEmpty();
        assertThat(HandlerResult.ResultTypes.problem(HandlerContext.class))
                .hasValue("a HandlerContext, which is no data");
    }

    /** As a client returns it to a lambda that ends with create(): its data would stand in the parent's status. */
    @Test
    @Tag("C33")
    void aWholeObjectOfKubernetesIsNoResult() {
        Map<String, Object> secret = Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Secret",
                "metadata",
                Map.of("resourceVersion", "7"),
                "data",
                Map.of("password", "x"));
        assertThat(HandlerResult.json(secret)).isNull();
        assertThat(HandlerResult.json(Map.of("apiVersion", "v1", "kind", "Secret", "metadata", Map.of("name", "a"))))
                .isNotNull();
    }

    @Test
    @Tag("C33")
    void whatCallsChainByIsNoResult() {
        for (Class<?> each : List.of(Patch.class, Conditions.class, SubHandlers.class, Steps.class, Children.class)) {
            assertThat(HandlerResult.ResultTypes.isNothing(each))
                    .as(each.getName())
                    .isTrue();
        }
    }

    /** A lambda of Kotlin that returns nothing returns this to an interface that wants a value. */
    @Test
    @Tag("C33")
    void whatOtherLanguagesReturnForNothingIsNone() throws Exception {
        byte[] unit = ClassFile.of()
                .build(
                        ClassDesc.of("kotlin.Unit"),
                        type -> type.withMethodBody(
                                "<init>",
                                MethodTypeDesc.ofDescriptor("()V"),
                                ClassFile.ACC_PUBLIC,
                                code -> code.aload(0)
                                        .invokespecial(
                                                ConstantDescs.CD_Object, "<init>", MethodTypeDesc.ofDescriptor("()V"))
                                        .return_()));
        Class<?> defined = new ClassLoader() {
            Class<?> define() {
                return defineClass("kotlin.Unit", unit, 0, unit.length);
            }
        }.define();
        assertThat(HandlerResult.json(defined.getDeclaredConstructor().newInstance()))
                .isNull();
    }

    /** As Kotlin's: the exception of a failure, and the class that holds either in a lambda. */
    public static final class KotlinResults extends ClassLoader {
        private static final ClassDesc FAILURE = ClassDesc.of("kotlin.Result$Failure");
        private static final ClassDesc RESULT = ClassDesc.of("kotlin.Result");

        private static Object of(byte[] file, Class<?> argument, Object value) throws Exception {
            return new KotlinResults()
                    .defineClass(null, file, 0, file.length)
                    .getConstructor(argument)
                    .newInstance(value);
        }

        private static ClassBuilder holding(ClassBuilder type, ClassDesc owner, String field, ClassDesc content) {
            return type.withFlags(AccessFlag.PUBLIC, AccessFlag.FINAL)
                    .withField(field, content, ClassFile.ACC_PUBLIC)
                    .withMethodBody(
                            "<init>",
                            MethodTypeDesc.of(ConstantDescs.CD_void, content),
                            ClassFile.ACC_PUBLIC,
                            code -> code.aload(0)
                                    .invokespecial(ConstantDescs.CD_Object, "<init>", ConstantDescs.MTD_void)
                                    .aload(0)
                                    .aload(1)
                                    .putfield(owner, field, content)
                                    .return_());
        }

        public static Object failure(Throwable exception) throws Exception {
            return of(
                    ClassFile.of()
                            .build(FAILURE, type -> holding(type, FAILURE, "exception", ConstantDescs.CD_Throwable)),
                    Throwable.class,
                    exception);
        }

        static Object boxed(Object value) throws Exception {
            byte[] file = ClassFile.of()
                    .build(
                            RESULT,
                            type -> holding(type, RESULT, "value", ConstantDescs.CD_Object)
                                    .withMethodBody(
                                            "unbox-impl",
                                            MethodTypeDesc.of(ConstantDescs.CD_Object),
                                            ClassFile.ACC_PUBLIC,
                                            code -> code.aload(0)
                                                    .getfield(RESULT, "value", ConstantDescs.CD_Object)
                                                    .areturn()));
            return of(file, Object.class, value);
        }
    }

    /** As in {@code fun create() = runCatching { ... }}: it would count as done, with a stack trace in the status. */
    @Test
    @Tag("C33")
    void whatAFunctionOfKotlinHasCaughtIsThrown() throws Exception {
        var caught = new IllegalArgumentException("boom");
        Object failure = KotlinResults.failure(caught);
        assertThatThrownBy(() -> HandlerResult.ofSuccess(failure)).isSameAs(caught);
        assertThatThrownBy(() -> HandlerResult.ofSuccess(KotlinResults.boxed(failure)))
                .isSameAs(caught);
        var error = new AssertionError("no");
        assertThatThrownBy(() -> HandlerResult.ofSuccess(KotlinResults.failure(error)))
                .isSameAs(error);
        var other = new Throwable("neither an exception nor an error");
        assertThatThrownBy(() -> HandlerResult.ofSuccess(KotlinResults.failure(other)))
                .isSameAs(other);
        assertThat(HandlerResult.ofSuccess(KotlinResults.boxed("done"))).isEqualTo("done");
        assertThat(HandlerResult.ofSuccess("plain")).isEqualTo("plain");
        assertThat(HandlerResult.ofSuccess(null)).isNull();
    }

    /** A type of a user. */
    public record Known(String name) {}

    /** The same type as a class loader of its own has it, that is gone with its application. */
    private static Class<?> reloaded() throws Exception {
        byte[] content;
        try (InputStream file = Optional.ofNullable(
                        HandlerResultTest.class.getResourceAsStream("HandlerResultTest$Known.class"))
                .orElseThrow()) {
            content = file.readAllBytes();
        }
        return new ClassLoader(HandlerResultTest.class.getClassLoader()) {
            Class<?> define() {
                return defineClass(Known.class.getName(), content, 0, content.length);
            }
        }.define();
    }

    private static WeakReference<ClassLoader> readAndWritten() throws Exception {
        Class<?> type = reloaded();
        assertThat(type).isNotEqualTo(Known.class);
        Object bound = ModelBinding.bind(json("{'name':'x'}"), type, FieldPath.of("spec"), () -> "x");
        assertThat(HandlerResult.json(bound)).isEqualTo(json("{'name':'x'}"));
        return new WeakReference<>(type.getClassLoader());
    }

    @Test
    void typesOfUsersAreForgotten() throws Exception {
        WeakReference<ClassLoader> loader = readAndWritten();
        ModelBinding.forgetTypes();
        for (int i = 0; i < 20 && loader.get() != null; i++) {
            System.gc();
        }
        assertThat(loader.get() == null).isTrue();
    }

    @Test
    @Tag("L30")
    void nullMembersDelete() {
        java.util.Map<String, Object> result = new java.util.LinkedHashMap<>();
        result.put("a", null);
        assertThat(delivered("fn", "{}", result).merge()).isEqualTo(json("{'status':{'fn':{'a':null}}}"));
    }

    @Test
    @Tag("C33")
    void failuresAndNothingDeliverNothing() {
        PatchContent patch = new PatchContent();
        for (Outcome outcome : List.of(
                new Outcome.Succeeded(null),
                new Outcome.Failed("x"),
                new Outcome.Retry(java.time.Duration.ZERO, "x"))) {
            HandlerResult.deliver("fn", outcome, patch);
        }
        assertThat(patch.isEmpty()).isTrue();
    }
}
