package dev.kopf4j.cli.library;

import java.lang.classfile.Annotation;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * What a class file tells about handlers. Pure.
 *
 * @param superclass the internal name, such as {@code java/lang/Object}; empty for that itself
 * @param instantiable false for interfaces, abstract classes, and classes inside methods
 * @param declaresHandlers true if one of its own methods has an annotation such as {@code @OnCreate}
 * @param explicit true if it has {@code @ExplicitRegistration}, which its subclasses inherit
 */
record ClassFacts(
        String superclass, boolean instantiable, boolean declaresHandlers, boolean explicit, boolean isCustomResource) {
    private static final String API = "Ldev/kopf4j/";
    private static final String EXPLICIT = "Ldev/kopf4j/ExplicitRegistration;";
    private static final String CUSTOM_RESOURCE = "Ldev/kopf4j/crd/CustomResource;";

    /**
     * Reads a class file; one of a later Java counts as having handlers if it names the API, so that it is loaded, and
     * refused.
     */
    static ClassFacts of(byte[] file) {
        boolean usesApi = new String(file, StandardCharsets.ISO_8859_1).contains(API);
        try {
            return of(ClassFile.of().parse(file), usesApi);
        } catch (IllegalArgumentException e) {
            return new ClassFacts("", usesApi, usesApi, false, false);
        }
    }

    private static ClassFacts of(ClassModel model, boolean usesApi) {
        return new ClassFacts(
                model.superclass().map(ClassEntry::asInternalName).orElse(""),
                isInstantiable(model),
                usesApi
                        && model.methods().stream()
                                .flatMap(ClassFacts::annotations)
                                .anyMatch(ClassFacts::isOfApi),
                usesApi && annotations(model).anyMatch(EXPLICIT::equals),
                usesApi && annotations(model).anyMatch(CUSTOM_RESOURCE::equals));
    }

    private static boolean isInstantiable(ClassModel model) {
        return !model.flags().has(AccessFlag.INTERFACE)
                && !model.flags().has(AccessFlag.ABSTRACT)
                && model.findAttribute(Attributes.enclosingMethod()).isEmpty();
    }

    private static boolean isOfApi(String descriptor) {
        return descriptor.startsWith(API) && descriptor.indexOf('/', API.length()) < 0;
    }

    private static Stream<String> annotations(AttributedElement element) {
        return element.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                .flatMap(attribute -> attribute.annotations().stream())
                .map(Annotation::className)
                .map(name -> name.stringValue());
    }
}
