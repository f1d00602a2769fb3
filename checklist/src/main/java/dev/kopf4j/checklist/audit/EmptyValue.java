package dev.kopf4j.checklist.audit;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The value of a type that says least: zero, false, an empty text or collection, else null. */
final class EmptyValue {
    private static final Map<Class<?>, String> FACTORIES =
            Map.of(Optional.class, "empty", List.class, "of", Set.class, "of", Map.class, "of");

    private EmptyValue() {}

    static void load(CodeBuilder code, ClassDesc type) {
        switch (type.descriptorString()) {
            case "J" -> code.lconst_0();
            case "D" -> code.dconst_0();
            case "F" -> code.fconst_0();
            case "Ljava/lang/String;" -> code.loadConstant("");
            default -> loadOther(code, type);
        }
    }

    private static void loadOther(CodeBuilder code, ClassDesc type) {
        if (type.isPrimitive()) {
            code.iconst_0();
            return;
        }
        for (Map.Entry<Class<?>, String> factory : FACTORIES.entrySet()) {
            Class<?> known = factory.getKey();
            if (type.equals(ClassDesc.of(known.getName()))) {
                code.invokestatic(type, factory.getValue(), MethodTypeDesc.of(type), known.isInterface());
                return;
            }
        }
        code.aconst_null();
    }
}
