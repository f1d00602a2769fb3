package dev.kopf4j.json;

import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Default arguments of Kotlin's constructors, such as {@code val size: Int = 3}. Jackson calls the constructor that has
 * none, and gives 0 or null for what is absent. Pure.
 *
 * <p>Kotlin's compiler puts the defaults into a second constructor, which takes bits, too, that tell which arguments
 * are absent: for each one with a default, it has {@code if (bits & bit) argument = default}.
 */
public final class KotlinDefaults {
    private static final String MARKER = "kotlin.jvm.internal.DefaultConstructorMarker";

    private KotlinDefaults() {}

    /**
     * Refuses a type if values of it, or of its fields, would lose defaults where they are read, or could not be made.
     *
     * @param mapper that by which they would be read; it stays as it is
     * @throws MisreadTypeException if they would
     */
    public static void refuse(JavaType type, JsonMapper mapper) {
        if (isKotlinKnownTo(type)) {
            mapper.rebuild()
                    .addModule(new SimpleModule(MARKER).setDeserializerModifier(new Refusing()))
                    .build()
                    .readerFor(type);
        }
    }

    /** Where Kotlin is not, no class is of it, and nothing needs to be looked at twice. */
    private static boolean isKotlinKnownTo(JavaType type) {
        JavaType content = type.getContentType();
        return isKotlinKnownTo(type.getRawClass().getClassLoader())
                || (content != null && isKotlinKnownTo(content))
                || IntStream.range(0, type.containedTypeCount())
                        .anyMatch(place -> isKotlinKnownTo(type.containedType(place)));
    }

    private static boolean isKotlinKnownTo(@Nullable ClassLoader loader) {
        try {
            return loader != null && Class.forName(MARKER, false, loader) != null;
        } catch (ClassNotFoundException _) {
            return false;
        }
    }

    /** Stateless. */
    @SuppressWarnings("serial") // nobody stores it
    private static final class Refusing extends ValueDeserializerModifier {
        @Override
        public ValueDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription.Supplier description, ValueDeserializer<?> reader) {
            if (reader instanceof BeanDeserializerBase bean) {
                Class<?> type = description.getBeanClass();
                unmakeable(type)
                        .filter(problem -> !isMadeOf(bean.getValueInstantiator(), type, description.get()))
                        .map(problem -> "objects of " + type.getSimpleName() + " cannot be made: " + problem)
                        .or(() -> lost(description.get()))
                        .ifPresent(problem -> {
                            throw new MisreadTypeException(problem);
                        });
            }
            return reader;
        }

        /** An overload with one argument is no way to read a text or number: it is there for calls without others. */
        private static boolean isMadeOf(ValueInstantiator maker, Class<?> type, BeanDescription read) {
            return maker.canCreateUsingDefault()
                    || maker.canCreateFromObjectWith()
                    || maker.canCreateUsingDelegate()
                    || maker.canCreateUsingArrayDelegate()
                    || (maker.canInstantiate()
                            && (!isOverloaded(type)
                                    || read.getPotentialCreators().hasDelegating()));
        }
    }

    /**
     * Why Jackson finds no constructor in a class of Kotlin, if it finds none, and the way out, for people; empty for
     * other classes.
     */
    public static Optional<String> unmakeable(Class<?> type) {
        if (!KotlinProperties.isOfKotlin(type)) {
            return Optional.empty();
        }
        if (constructors(type).anyMatch(KotlinDefaults::standsForHidden)) {
            return Optional.of("its constructor takes a value class or an unsigned type of Kotlin, for which Kotlin's"
                    + " compiler hides it; take what that holds, such as a String or a Long");
        }
        List<Constructor<?>> own =
                constructors(type).filter(each -> !each.isSynthetic()).toList();
        List<Constructor<?>> open = own.stream()
                .filter(each -> Modifier.isPublic(each.getModifiers()))
                .toList();
        if (!open.isEmpty() && open.stream().allMatch(KotlinDefaults::isNameless)) {
            return Optional.of("its class has no names of the constructor's arguments; compile it with -java-parameters"
                    + " (javaParameters = true in Maven and Gradle)");
        }
        return Optional.of(
                own.size() > 1
                        ? "it has several constructors; leave @JvmOverloads out, so that there is one, or annotate one"
                                + " with @JsonCreator"
                        : "let it have a public constructor that takes its properties");
    }

    private static boolean isNameless(Constructor<?> constructor) {
        return Stream.of(constructor.getParameters()).anyMatch(each -> !each.isNamePresent());
    }

    /** The class may be called without the arguments that have defaults, of which one is left. */
    private static boolean isOverloaded(Class<?> type) {
        List<Class<?>> single = constructors(type)
                .filter(each -> !each.isSynthetic() && each.getParameterCount() == 1)
                .<Class<?>>map(each -> each.getParameterTypes()[0])
                .toList();
        return constructors(type)
                .filter(each ->
                        each.getParameterCount() > 1 && withDefaults(each).isPresent())
                .anyMatch(each -> !Collections.disjoint(List.of(each.getParameterTypes()), single));
    }

    /** It has the arguments of a private one, and the marker. */
    private static boolean standsForHidden(Constructor<?> constructor) {
        Class<?>[] types = constructor.getParameterTypes();
        return constructor.isSynthetic()
                && types.length > 0
                && types[types.length - 1].getName().equals(MARKER)
                && constructors(constructor.getDeclaringClass())
                        .filter(each -> Modifier.isPrivate(each.getModifiers()))
                        .anyMatch(each -> Arrays.equals(
                                each.getParameterTypes(), 0, each.getParameterCount(), types, 0, types.length - 1));
    }

    private static Stream<Constructor<?>> constructors(Class<?> type) {
        return Stream.of(type.getDeclaredConstructors());
    }

    /** Which fields would lose their defaults, and the way out, for people; empty if none would. */
    public static Optional<String> lost(BeanDescription read) {
        String lost = read.findProperties().stream()
                .filter(property -> isLost(property.getConstructorParameter()))
                .map(BeanPropertyDefinition::getName)
                .map(name -> "'" + name + "'")
                .collect(Collectors.joining(", "));
        return lost.isEmpty()
                ? Optional.empty()
                : Optional.of("default arguments of Kotlin are not followed, so that an absent " + lost + " of "
                        + read.getBeanClass().getSimpleName() + " would be 0, false or null; let the definition say the"
                        + " default instead, as in @Schema(defaultValue = [\"3\"]) val size: Int, or take a nullable"
                        + " type with the default null, and choose where it is used, as in size ?: 3");
    }

    private static boolean isLost(@Nullable AnnotatedParameter parameter) {
        return parameter != null
                && parameter.getMember() instanceof Constructor<?> constructor
                && withDefaults(constructor)
                        .filter(second -> isLost(constructor, second, parameter.getIndex()))
                        .isPresent();
    }

    private static Optional<Constructor<?>> withDefaults(Constructor<?> constructor) {
        return constructors(constructor.getDeclaringClass())
                .filter(Constructor::isSynthetic)
                .filter(each -> takesBits(each.getParameterTypes(), constructor.getParameterTypes()))
                .findFirst();
    }

    /** There is a number of bits for each 32 arguments. */
    private static boolean takesBits(Class<?>[] types, Class<?>[] arguments) {
        int marker = arguments.length + (arguments.length + 31) / 32;
        return types.length == marker + 1
                && types[marker].getName().equals(MARKER)
                && Arrays.equals(types, 0, arguments.length, arguments, 0, arguments.length)
                && Arrays.stream(types, arguments.length, marker).allMatch(type -> type == int.class);
    }

    /** What cannot be told apart counts as lost: a wrong value would tell nobody of itself. */
    private static boolean isLost(Constructor<?> constructor, Constructor<?> second, int argument) {
        Map<Integer, Boolean> defaults = defaults(code(second), constructor.getParameterTypes());
        return defaults.isEmpty() || defaults.getOrDefault(argument, false);
    }

    /** The places of the arguments that have a default; false for one that is as absent values are anyway. */
    private static Map<Integer, Boolean> defaults(List<Instruction> code, Class<?>[] arguments) {
        Map<Integer, Boolean> defaults = new HashMap<>();
        int[] slots = slots(arguments);
        int bits = slots[arguments.length];
        for (int at = 0; at + 5 < code.size(); at++) {
            if (code.get(at) instanceof LoadInstruction load
                    && load.slot() >= bits
                    && code.get(at + 1) instanceof ConstantInstruction constant
                    && constant.constantValue() instanceof Integer bit
                    && code.get(at + 2).opcode() == Opcode.IAND
                    && code.get(at + 3).opcode() == Opcode.IFEQ) {
                int argument = 32 * (load.slot() - bits) + Integer.numberOfTrailingZeros(bit);
                boolean nothing = code.get(at + 4) instanceof ConstantInstruction value
                        && isNothing(value.constantValue())
                        && code.get(at + 5) instanceof StoreInstruction store
                        && store.slot() == slots[argument];
                defaults.put(argument, !nothing);
            }
        }
        return defaults;
    }

    private static boolean isNothing(ConstantDesc value) {
        return value.equals(ConstantDescs.NULL) || (value instanceof Number number && number.doubleValue() == 0);
    }

    /** Where the arguments are, and, last, what follows them. */
    private static int[] slots(Class<?>[] arguments) {
        int[] slots = new int[arguments.length + 1];
        slots[0] = 1;
        for (int i = 0; i < arguments.length; i++) {
            slots[i + 1] = slots[i] + TypeKind.from(arguments[i]).slotSize();
        }
        return slots;
    }

    private static List<Instruction> code(Constructor<?> constructor) {
        String descriptor = MethodType.methodType(void.class, constructor.getParameterTypes())
                .descriptorString();
        return CompiledClass.of(constructor.getDeclaringClass()).stream()
                .flatMap(type -> type.methods().stream())
                .filter(each -> each.methodName().equalsString(ConstantDescs.INIT_NAME)
                        && each.methodType().equalsString(descriptor))
                .flatMap(KotlinDefaults::instructions)
                .toList();
    }

    private static Stream<Instruction> instructions(MethodModel method) {
        return method.code().stream()
                .flatMap(code -> code.elementStream())
                .filter(Instruction.class::isInstance)
                .map(Instruction.class::cast);
    }
}
