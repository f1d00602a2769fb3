package dev.kopf4j.checklist.audit;

import java.lang.classfile.Attributes;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.lang.runtime.ObjectMethods;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Finds what can be changed in one method. Immutable.
 *
 * @param type the name of its class
 * @param index its place among the methods of the class
 */
record MethodMutants(String type, int index, MethodModel method) {
    /** All changes in the lines with these numbers; none if nobody has written the method. */
    List<Mutant> in(IntPredicate lines) {
        List<Mutant> found = new ArrayList<>();
        if (!isWritten()) {
            return found;
        }
        List<CodeElement> elements = method.code().orElseThrow().elementList();
        int line = 0;
        for (int i = 0; i < elements.size(); i++) {
            CodeElement element = elements.get(i);
            if (element instanceof LineNumber number) {
                line = number.line();
            } else if (lines.test(line)) {
                for (MutationOperator operator : MutationOperator.values()) {
                    if (operator.fits(element, method.methodTypeSymbol()) && !isVain(operator, elements, i)) {
                        found.add(new Mutant(new CodeLine(type, line), index, i, operator));
                    }
                }
            }
        }
        return found;
    }

    /** What the compiler has added is nobody's promise; lambdas are of the source. */
    private boolean isWritten() {
        return method.code().isPresent()
                && (!method.flags().has(AccessFlag.SYNTHETIC)
                        || method.methodName().stringValue().startsWith("lambda$"))
                && method.findAttribute(Attributes.synthetic()).isEmpty()
                && !isInitializer()
                && !isOfRecord(method.code().orElseThrow())
                && !isAccessorOfRecord()
                && !isOfEnum();
    }

    /** What initializes a class has run before anything is changed. */
    private boolean isInitializer() {
        return method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME);
    }

    /** The methods that each record has. */
    private static boolean isOfRecord(CodeModel code) {
        return code.elementStream()
                .anyMatch(element -> element instanceof InvokeDynamicInstruction call
                        && call.bootstrapMethod().owner().equals(ClassDesc.of(ObjectMethods.class.getName())));
    }

    /** What gives a component as it is: written by nobody, or in vain. */
    private boolean isAccessorOfRecord() {
        boolean isOfComponent = method.parent().flatMap(type -> type.findAttribute(Attributes.record())).stream()
                .flatMap(attribute -> attribute.components().stream())
                .anyMatch(component -> component.name().equals(method.methodName()));
        return isOfComponent
                && instructions().equals(List.of(Opcode.Kind.LOAD, Opcode.Kind.FIELD_ACCESS, Opcode.Kind.RETURN));
    }

    private List<Opcode.Kind> instructions() {
        return method.code()
                .orElseThrow()
                .elementStream()
                .filter(Instruction.class::isInstance)
                .map(element -> ((Instruction) element).opcode().kind())
                .toList();
    }

    /** The methods that each enum has. */
    private boolean isOfEnum() {
        return method.parent().orElseThrow().flags().has(AccessFlag.ENUM)
                && method.flags().has(AccessFlag.STATIC)
                && Set.of("values", "valueOf").contains(method.methodName().stringValue());
    }

    /** A constant that is returned in place of itself, or the object for the next call in a chain. */
    private boolean isVain(MutationOperator operator, List<CodeElement> elements, int index) {
        return index > 0
                && (isTheSame(operator, elements.get(index - 1)) || isChain(operator, elements.get(index - 1)));
    }

    private boolean isChain(MutationOperator operator, CodeElement returned) {
        return operator == MutationOperator.RETURNED_NOTHING
                && !method.flags().has(AccessFlag.STATIC)
                && returned instanceof LoadInstruction load
                && load.slot() == 0;
    }

    private static boolean isTheSame(MutationOperator operator, CodeElement returned) {
        if (!(returned instanceof ConstantInstruction constant)) {
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
}
