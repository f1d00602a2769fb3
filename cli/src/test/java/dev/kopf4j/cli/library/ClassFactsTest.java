package dev.kopf4j.cli.library;

import static java.lang.constant.ConstantDescs.MTD_void;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassFactsTest {
    private static final RuntimeVisibleAnnotationsAttribute HANDLER = annotation("dev.kopf4j.OnCreate");

    private static RuntimeVisibleAnnotationsAttribute annotation(String type) {
        return RuntimeVisibleAnnotationsAttribute.of(Annotation.of(ClassDesc.of(type)));
    }

    /** A class with one static method that has an annotation. */
    private static ClassFacts facts(String name, String annotation) {
        return ClassFacts.of(ClassFile.of()
                .build(
                        ClassDesc.of(name),
                        type -> type.with(annotation(annotation))
                                .withMethod(
                                        "made",
                                        MTD_void,
                                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                        method -> method.with(HANDLER).withCode(code -> code.return_()))));
    }

    @ParameterizedTest
    @CsvSource({
        "a.Handlers$DefaultImpls, kotlin.Metadata, false",
        "a.Handlers, kotlin.Metadata, true",
        "a.Handlers$DefaultImpls, java.lang.Deprecated, true"
    })
    void leavesMethodsOfKotlinsInterfacesToTheClassesThatImplementThem(
            String name, String annotation, boolean declaresHandlers) {
        assertThat(facts(name, annotation).declaresHandlers()).isEqualTo(declaresHandlers);
    }
}
