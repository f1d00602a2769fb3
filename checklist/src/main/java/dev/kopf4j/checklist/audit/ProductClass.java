package dev.kopf4j.checklist.audit;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/** The compiled form of a class of the product: finds what can be changed in it, and changes it. Immutable. */
final class ProductClass {
    private final ClassFile files;
    private final ClassModel model;

    ProductClass(byte[] content, ClassLoader loader) {
        this.files = files(loader);
        this.model = files.parse(content);
    }

    /** Reads and writes classes whose superclasses this loader finds, without loading them. */
    static ClassFile files(ClassLoader loader) {
        return ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(loader).cached()));
    }

    /** All changes in the lines with these numbers. */
    List<Mutant> mutants(String type, IntPredicate lines) {
        List<Mutant> found = new ArrayList<>();
        for (int method = 0; method < model.methods().size(); method++) {
            found.addAll(new MethodMutants(type, method, model.methods().get(method)).in(lines));
        }
        return found;
    }

    /** The class with this change. */
    byte[] with(Mutant mutant) {
        MethodModel changed = model.methods().get(mutant.method());
        return files.transformClass(model, (type, element) -> {
            if (element == changed) {
                type.transformMethod(changed, MethodTransform.transformingCode(change(mutant, changed)));
            } else {
                type.with(element);
            }
        });
    }

    private static CodeTransform change(Mutant mutant, MethodModel method) {
        return CodeTransform.ofStateful(() -> {
            AtomicInteger index = new AtomicInteger();
            return (code, element) -> {
                if (index.getAndIncrement() == mutant.element()) {
                    mutant.operator().write(code, element, method.methodTypeSymbol());
                } else {
                    code.with(element);
                }
            };
        });
    }
}
