package dev.kopf4j.engine.call;

import static dev.kopf4j.engine.call.HandlerFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.PatchContent;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link HandlerResult}: which results can be stored in the status. */
class HandlerResultTest {
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
