package dev.kopf4j.checklist;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.FieldModel;
import java.lang.classfile.FieldTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.MethodParametersAttribute;
import java.lang.classfile.attribute.RuntimeInvisibleAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Loads classes as Kotlin's compiler, which the build does not have, writes them of data classes: those of the tests,
 * with a second constructor for default arguments, and with annotations that only class files have. Thread-safe.
 */
public final class KotlinClasses extends ClassLoader {
    private static final ClassDesc METADATA = ClassDesc.of("kotlin.Metadata");
    private static final ClassDesc MARKER = ClassDesc.of("kotlin.jvm.internal.DefaultConstructorMarker");

    private final List<Class<?>> classes;
    private final String dataClass;
    private final Map<Integer, ConstantDesc> defaults;
    private final Map<String, String> annotations;
    private boolean named = true;

    /**
     * Prepares the classes.
     *
     * @param dataClass the class whose only constructor has default arguments
     * @param defaults the defaults, by the places of the arguments
     * @param annotations the names of annotations, by the fields of that class
     * @param others classes that are to see that one
     */
    public KotlinClasses(
            Class<?> dataClass,
            Map<Integer, ConstantDesc> defaults,
            Map<String, String> annotations,
            Class<?>... others) {
        super(dataClass.getClassLoader());
        this.dataClass = dataClass.getName();
        this.defaults = Map.copyOf(defaults);
        this.annotations = Map.copyOf(annotations);
        this.classes = new ArrayList<>(List.of(others));
        this.classes.add(dataClass);
        this.classes.add(dataClass.getNestHost());
    }

    /** Loads the class as Kotlin's compiler writes it without {@code -java-parameters}; to be said before. */
    public KotlinClasses withoutNames() {
        named = false;
        return this;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            byte[] file = file(name);
            return file.length == 0 ? super.loadClass(name, resolve) : defineClass(name, file, 0, file.length);
        }
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        byte[] file = file(name.replaceFirst("[.]class$", "").replace('/', '.'));
        return file.length == 0 ? super.getResourceAsStream(name) : new ByteArrayInputStream(file);
    }

    /** Empty if the class is another one. */
    private byte[] file(String name) {
        if (name.equals(MARKER.packageName() + "." + MARKER.displayName())) {
            return ClassFile.of().build(MARKER, marker -> {});
        }
        if (name.equals(METADATA.packageName() + "." + METADATA.displayName())) {
            return ClassFile.of().build(METADATA, KotlinClasses::writeMetadata);
        }
        return classes.stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .map(this::file)
                .orElseGet(() -> new byte[0]);
    }

    /** As {@code @Retention(RUNTIME) annotation class Metadata}. */
    private static void writeMetadata(ClassBuilder metadata) {
        metadata.withFlags(ClassFile.ACC_PUBLIC
                        | ClassFile.ACC_INTERFACE
                        | ClassFile.ACC_ABSTRACT
                        | ClassFile.ACC_ANNOTATION)
                .withInterfaceSymbols(java.lang.annotation.Annotation.class
                        .describeConstable()
                        .orElseThrow())
                .with(RuntimeVisibleAnnotationsAttribute.of(Annotation.of(
                        Retention.class.describeConstable().orElseThrow(),
                        AnnotationElement.of(
                                "value",
                                AnnotationValue.ofEnum(
                                        RetentionPolicy.class
                                                .describeConstable()
                                                .orElseThrow(),
                                        RetentionPolicy.RUNTIME.name())))));
    }

    private byte[] file(Class<?> type) {
        String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
        try (InputStream content = type.getResourceAsStream(file)) {
            byte[] bytes = content.readAllBytes();
            return type.getName().equals(dataClass) ? asOfKotlin(bytes) : bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] asOfKotlin(byte[] file) {
        ClassTransform written = ClassTransform.endHandler(
                type -> type.with(RuntimeVisibleAnnotationsAttribute.of(Annotation.of(METADATA))));
        ClassTransform annotated = (builder, element) -> {
            if (element instanceof FieldModel field
                    && annotations.containsKey(field.fieldName().stringValue())) {
                String annotation = annotations.get(field.fieldName().stringValue());
                builder.transformField(
                        field,
                        FieldTransform.endHandler(each -> each.with(
                                RuntimeInvisibleAnnotationsAttribute.of(Annotation.of(ClassDesc.of(annotation))))));
            } else {
                builder.with(element);
            }
        };
        var model = ClassFile.of().parse(file);
        MethodModel constructor = model.methods().stream()
                .filter(method -> method.methodName().equalsString(ConstantDescs.INIT_NAME))
                .findFirst()
                .orElseThrow();
        ClassTransform second = defaults.isEmpty()
                ? ClassTransform.ACCEPT_ALL
                : ClassTransform.endHandler(builder -> addSecond(
                        builder,
                        model.thisClass().asSymbol(),
                        constructor.methodTypeSymbol().parameterList()));
        ClassTransform names = named
                ? ClassTransform.ACCEPT_ALL
                : ClassTransform.transformingMethods(
                        MethodTransform.dropping(each -> each instanceof MethodParametersAttribute));
        return ClassFile.of()
                .transformClass(
                        model, written.andThen(annotated).andThen(second).andThen(names));
    }

    private void addSecond(ClassBuilder builder, ClassDesc owner, List<ClassDesc> arguments) {
        var all = new ArrayList<>(arguments);
        all.add(ConstantDescs.CD_int);
        all.add(MARKER);
        builder.withMethodBody(
                ConstantDescs.INIT_NAME,
                MethodTypeDesc.of(ConstantDescs.CD_void, all),
                ClassFile.ACC_PUBLIC | ClassFile.ACC_SYNTHETIC,
                code -> write(code, owner, arguments));
    }

    private void write(CodeBuilder code, ClassDesc owner, List<ClassDesc> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            if (defaults.containsKey(i)) {
                int argument = i;
                code.iload(code.parameterSlot(arguments.size()))
                        .loadConstant(1 << i)
                        .iand()
                        .ifThen(
                                Opcode.IFNE,
                                block -> block.loadConstant(defaults.get(argument))
                                        .storeLocal(
                                                TypeKind.from(arguments.get(argument)), code.parameterSlot(argument)));
            }
        }
        code.aload(0);
        for (int i = 0; i < arguments.size(); i++) {
            code.loadLocal(TypeKind.from(arguments.get(i)), code.parameterSlot(i));
        }
        code.invokespecial(owner, ConstantDescs.INIT_NAME, MethodTypeDesc.of(ConstantDescs.CD_void, arguments))
                .return_();
    }
}
