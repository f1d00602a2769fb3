package dev.kopf4j.checklist.audit;

import java.lang.classfile.Attributes;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
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
                    if (operator.fits(element, method.methodTypeSymbol()) && !isTheSame(operator, elements, i)) {
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
                && !isOfRecord(method.code().orElseThrow());
    }

    /** The methods that each record has. */
    private static boolean isOfRecord(CodeModel code) {
        return code.elementStream()
                .anyMatch(element -> element instanceof InvokeDynamicInstruction call
                        && call.bootstrapMethod().owner().equals(ClassDesc.of(ObjectMethods.class.getName())));
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
}
