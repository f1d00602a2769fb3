package dev.kopf4j.checklist.audit;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;

/** The ways to change an instruction: those that PIT uses by default. Each leaves on the stack what was there. */
enum MutationOperator {
    NEGATED_CONDITION("negated condition") {
        @Override
        boolean fits(CodeElement element, MethodTypeDesc method) {
            return element instanceof BranchInstruction branch && NEGATED.containsKey(branch.opcode());
        }

        @Override
        void write(CodeBuilder code, CodeElement element, MethodTypeDesc method) {
            BranchInstruction branch = (BranchInstruction) element;
            code.branch(NEGATED.getOrDefault(branch.opcode(), branch.opcode()), branch.target());
        }
    },
    OTHER_ARITHMETIC("other arithmetic") {
        @Override
        boolean fits(CodeElement element, MethodTypeDesc method) {
            return element instanceof OperatorInstruction operator && ARITHMETIC.containsKey(operator.opcode());
        }

        @Override
        void write(CodeBuilder code, CodeElement element, MethodTypeDesc method) {
            OperatorInstruction operator = (OperatorInstruction) element;
            code.with(OperatorInstruction.of(ARITHMETIC.getOrDefault(operator.opcode(), operator.opcode())));
        }
    },
    NO_CALL("call left out") {
        @Override
        boolean fits(CodeElement element, MethodTypeDesc method) {
            return element instanceof InvokeInstruction call
                    && call.typeSymbol().returnType().equals(ConstantDescs.CD_void)
                    && !call.name().equalsString(ConstantDescs.INIT_NAME)
                    && !call.owner().asInternalName().startsWith("org/slf4j/");
        }

        @Override
        void write(CodeBuilder code, CodeElement element, MethodTypeDesc method) {
            InvokeInstruction call = (InvokeInstruction) element;
            for (ClassDesc argument : call.typeSymbol().parameterList().reversed()) {
                pop(code, TypeKind.from(argument));
            }
            if (call.opcode() != Opcode.INVOKESTATIC) {
                code.pop();
            }
        }
    },
    RETURNED_NOTHING("nothing returned: null, 0, false or empty") {
        @Override
        boolean fits(CodeElement element, MethodTypeDesc method) {
            return element instanceof ReturnInstruction back && back.typeKind() != TypeKind.VOID;
        }

        @Override
        void write(CodeBuilder code, CodeElement element, MethodTypeDesc method) {
            TypeKind kind = ((ReturnInstruction) element).typeKind();
            pop(code, kind);
            EmptyValue.load(code, method.returnType());
            code.return_(kind);
        }
    },
    RETURNED_TRUE("true returned") {
        @Override
        boolean fits(CodeElement element, MethodTypeDesc method) {
            return element instanceof ReturnInstruction && method.returnType().equals(ConstantDescs.CD_boolean);
        }

        @Override
        void write(CodeBuilder code, CodeElement element, MethodTypeDesc method) {
            code.pop().iconst_1().ireturn();
        }
    };

    private static final Map<Opcode, Opcode> NEGATED = OpcodePairs.of(
            Opcode.IFEQ, Opcode.IFNE,
            Opcode.IFLT, Opcode.IFGE,
            Opcode.IFGT, Opcode.IFLE,
            Opcode.IFNULL, Opcode.IFNONNULL,
            Opcode.IF_ICMPEQ, Opcode.IF_ICMPNE,
            Opcode.IF_ICMPLT, Opcode.IF_ICMPGE,
            Opcode.IF_ICMPGT, Opcode.IF_ICMPLE,
            Opcode.IF_ACMPEQ, Opcode.IF_ACMPNE);

    private static final Map<Opcode, Opcode> ARITHMETIC = OpcodePairs.of(
            Opcode.IADD, Opcode.ISUB,
            Opcode.LADD, Opcode.LSUB,
            Opcode.DADD, Opcode.DSUB,
            Opcode.IMUL, Opcode.IDIV,
            Opcode.LMUL, Opcode.LDIV,
            Opcode.DMUL, Opcode.DDIV,
            Opcode.IAND, Opcode.IOR,
            Opcode.ISHL, Opcode.ISHR);

    private final String words;

    MutationOperator(String words) {
        this.words = words;
    }

    /** What was done, for people. */
    String words() {
        return words;
    }

    /** True if it can change the instruction, in a method with this signature. */
    abstract boolean fits(CodeElement element, MethodTypeDesc method);

    /** Writes what takes the place of the instruction. */
    abstract void write(CodeBuilder code, CodeElement element, MethodTypeDesc method);

    private static void pop(CodeBuilder code, TypeKind kind) {
        if (kind.slotSize() == 2) {
            code.pop2();
        } else {
            code.pop();
        }
    }
}
