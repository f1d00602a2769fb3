package dev.kopf4j.checklist.audit;

import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** Lets each line of the product's code tell {@link LineRecorder} that it is executed. */
final class LineRecordingTransformer implements ClassFileTransformer {
    private static final String PRODUCT = "dev/kopf4j/";
    private static final String OWN = "dev/kopf4j/checklist/";
    private static final ClassDesc RECORDER = ClassDesc.of(LineRecorder.class.getName());
    private static final MethodTypeDesc EXECUTED = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] content) {
        if (loader == null || name == null || !name.startsWith(PRODUCT) || name.startsWith(OWN) || isTest(domain)) {
            return null;
        }
        var files = ProductClass.files(loader);
        String type = name.replace('/', '.');
        return files.transformClass(
                files.parse(content),
                ClassTransform.transformingMethodBodies(LineRecordingTransformer::isForEachTest, recording(type)));
    }

    /** Classes are initialized by the first test that needs them: that says nothing of it. */
    private static boolean isForEachTest(MethodModel method) {
        return !method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME);
    }

    private static boolean isTest(@Nullable ProtectionDomain domain) {
        return domain == null
                || domain.getCodeSource() == null
                || domain.getCodeSource().getLocation().getPath().contains("test-classes");
    }

    private static CodeTransform recording(String type) {
        return (code, element) -> {
            code.with(element);
            if (element instanceof LineNumber line) {
                code.loadConstant(LineRecorder.idOf(new CodeLine(type, line.line())))
                        .invokestatic(RECORDER, "executed", EXECUTED);
            }
        };
    }
}
