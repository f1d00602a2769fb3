package dev.kopf4j.json;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/**
 * Gives properties of Kotlin such as {@code var isDone: Boolean} their names. Their getter is {@code isDone()}, and
 * their setter {@code setDone()}, which make a {@code done} of it in Java; the constructor, however, takes
 * {@code isDone}, so that Jackson would write another field than it reads. Stateless.
 */
@SuppressWarnings("serial") // nobody stores it
final class KotlinProperties extends NopAnnotationIntrospector {
    private static final String METADATA = "kotlin.Metadata";

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    /** True if Kotlin's compiler has written the class, and Kotlin is there. */
    static boolean isOfKotlin(Class<?> type) {
        return Arrays.stream(type.getDeclaredAnnotations())
                .anyMatch(each -> each.annotationType().getName().equals(METADATA));
    }

    @Override
    public @Nullable String findImplicitPropertyName(MapperConfig<?> config, AnnotatedMember member) {
        return member instanceof AnnotatedMethod method && isOfKotlin(method.getDeclaringClass()) ? name(method) : null;
    }

    private static @Nullable String name(AnnotatedMethod method) {
        return switch (method.getParameterCount()) {
            case 0 -> isGetter(method) ? method.getName() : null;
            case 1 -> nameOfSetter(method);
            default -> null;
        };
    }

    /**
     * Of any type, if it has a field: only flags are known to Jackson by the word. Kotlin's rule of the third letter.
     */
    private static boolean isGetter(AnnotatedMethod method) {
        String name = method.getName();
        return name.startsWith("is")
                && name.length() > 2
                && !(name.charAt(2) >= 'a' && name.charAt(2) <= 'z')
                && (method.getRawType() == boolean.class
                        || method.getRawType() == Boolean.class
                        || field(method.getDeclaringClass(), name, method.getRawType()) != null);
    }

    /** There may be a {@code val done} beside it, but no second setter. */
    private static @Nullable String nameOfSetter(AnnotatedMethod method) {
        if (!method.getName().startsWith("set")) {
            return null;
        }
        String name = "is" + method.getName().substring("set".length());
        Field field = field(method.getDeclaringClass(), name, method.getRawParameterType(0));
        return field == null || Modifier.isFinal(field.getModifiers()) ? null : name;
    }

    private static @Nullable Field field(Class<?> type, String name, Class<?> content) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(each -> each.getName().equals(name) && each.getType() == content)
                .findFirst()
                .orElse(null);
    }
}
