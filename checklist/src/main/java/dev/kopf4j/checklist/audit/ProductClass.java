package dev.kopf4j.checklist.audit;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.lang.runtime.ObjectMethods;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
            if (isWritten(model.methods().get(method))) {
                addMutants(type, method, lines, found);
            }
        }
        return found;
    }

    /** What the compiler has added is nobody's promise; lambdas are of the source. */
    private static boolean isWritten(MethodModel method) {
        return method.code().isPresent()
                && (!method.flags().has(AccessFlag.SYNTHETIC)
                        || method.methodName().stringValue().startsWith("lambda$"))
                && method.findAttribute(Attributes.synthetic()).isEmpty()
                && !isOfRecord(method.code().orElseThrow());
    }

    /** The methods that each record has. */
    private static boolean isOfRecord(CodeModel code) {
        return code.elementStream()
                .anyMatch(element -> element instanceof InvokeDynamicInstruction call
                        && call.bootstrapMethod().owner().equals(ClassDesc.of(ObjectMethods.class.getName())));
    }

    private void addMutants(String type, int method, IntPredicate lines, List<Mutant> found) {
        MethodModel owner = model.methods().get(method);
        List<CodeElement> elements = owner.code().orElseThrow().elementList();
        int line = 0;
        for (int i = 0; i < elements.size(); i++) {
            CodeElement element = elements.get(i);
            if (element instanceof LineNumber number) {
                line = number.line();
            } else if (lines.test(line)) {
                for (MutationOperator operator : MutationOperator.values()) {
                    if (operator.fits(element, owner.methodTypeSymbol()) && !isTheSame(operator, elements, i)) {
                        found.add(new Mutant(new CodeLine(type, line), method, i, operator));
                    }
                }
            }
        }
    }

    /** A constant that is returned in place of itself. */
    private static boolean isTheSame(MutationOperator operator, List<CodeElement> elements, int index) {
        if (index == 0 || !(elements.get(index - 1) instanceof ConstantInstruction constant)) {
            return false;
        }
        Object value = constant.constantValue();
        return switch (operator) {
            case RETURNED_NOTHING ->
                Set.<Object>of(0, 0L, 0.0, 0.0f, "", ConstantDescs.NULL).contains(value);
            case RETURNED_TRUE -> value.equals(1);
            default -> false;
        };
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
