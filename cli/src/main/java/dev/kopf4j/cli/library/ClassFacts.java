package dev.kopf4j.cli.library;

import java.lang.classfile.Annotation;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a class file tells about handlers. Pure.
 *
 * @param supertypes the internal names of the superclass, such as {@code java/lang/Object}, and of the interfaces
 * @param instantiable false for interfaces, abstract classes, and classes inside methods
 * @param declaresHandlers true if one of its own methods has an annotation such as {@code @OnCreate}; of an interface,
 *     one that is not static
 * @param declaresStaticHandlers true if that is a static method of an abstract class or an interface, which needs no
 *     instance
 * @param explicit true if it is a class with {@code @ExplicitRegistration}, which its subclasses inherit
 */
record ClassFacts(
        List<String> supertypes,
        boolean instantiable,
        boolean declaresHandlers,
        boolean declaresStaticHandlers,
        boolean explicit,
        boolean isCustomResource) {
    private static final String API = "Ldev/kopf4j/";
    private static final String EXPLICIT = "Ldev/kopf4j/ExplicitRegistration;";
    /** Where Kotlin's compiler keeps the bodies of an interface's methods, with the annotations of these. */
    private static final String KOTLIN_BODIES = "$DefaultImpls";

    private static final String KOTLIN = "Lkotlin/Metadata;";
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
            return new ClassFacts(List.of(), usesApi, usesApi, false, false, false);
        }
    }

    private static ClassFacts of(ClassModel model, boolean namesApi) {
        boolean usesApi = namesApi && !holdsKotlinBodies(model);
        return new ClassFacts(
                Stream.concat(model.superclass().stream(), model.interfaces().stream())
                        .map(ClassEntry::asInternalName)
                        .toList(),
                isInstantiable(model),
                usesApi && declares(model, method -> !isInterface(model) || !isStatic(method)),
                usesApi
                        && model.flags().has(AccessFlag.ABSTRACT)
                        && !isInsideMethod(model)
                        && declares(model, ClassFacts::isStatic),
                usesApi && !isInterface(model) && annotations(model).anyMatch(EXPLICIT::equals),
                usesApi && annotations(model).anyMatch(CUSTOM_RESOURCE::equals));
    }

    private static boolean isInstantiable(ClassModel model) {
        return !isInterface(model) && !model.flags().has(AccessFlag.ABSTRACT) && !isInsideMethod(model);
    }

    /** They are handlers of the classes that implement the interface. */
    private static boolean holdsKotlinBodies(ClassModel model) {
        return model.thisClass().asInternalName().endsWith(KOTLIN_BODIES)
                && annotations(model).anyMatch(KOTLIN::equals);
    }

    private static boolean isInsideMethod(ClassModel model) {
        return model.findAttribute(Attributes.enclosingMethod()).isPresent();
    }

    private static boolean declares(ClassModel model, Predicate<MethodModel> wanted) {
        return model.methods().stream()
                .filter(wanted)
                .flatMap(ClassFacts::annotations)
                .anyMatch(ClassFacts::isOfApi);
    }

    private static boolean isStatic(MethodModel method) {
        return method.flags().has(AccessFlag.STATIC);
    }

    private static boolean isInterface(ClassModel model) {
        return model.flags().has(AccessFlag.INTERFACE);
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
