package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.kopf4j.crd.Condition;
import dev.kopf4j.spi.RequestChannel;
import dev.kopf4j.webhook.WebhookResponse;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds what users see: nothing in it names a type that they do not see, and no option changes a constructor. */
class PublicApiTest {
    private static final Set<String> EXPORTED =
            Set.of("dev.kopf4j", "dev.kopf4j.crd", "dev.kopf4j.rbac", "dev.kopf4j.spi", "dev.kopf4j.webhook");

    /** Only the framework makes them: they may get components. Whatever users make is made by methods. */
    private static final Set<Class<?>> RECORDS = Set.of(
            Condition.class,
            Diff.class,
            Diff.Item.class,
            DueHandler.class,
            HandlerCall.class,
            HandlerOutcome.class,
            OperatorState.class,
            OperatorState.Shards.class,
            RequestChannel.Answer.class,
            RequestChannel.Request.class,
            Tracing.Start.class,
            Resource.class,
            Resource.Names.class,
            SettingValue.class,
            StreamState.class,
            WebhookResponse.class);

    private static final Pattern IN_EXPORTED =
            Pattern.compile(".*/(%s)/[^/]*".formatted(String.join("|", EXPORTED).replace('.', '/')));

    private static final List<Class<?>> API = new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .withImportOption(location -> location.matches(IN_EXPORTED))
                    .importPackages("dev.kopf4j")
                    .stream()
                    .filter(each -> EXPORTED.contains(each.getPackageName()))
                    .<Class<?>>map(JavaClass::reflect)
                    .filter(PublicApiTest::isSeen)
                    .toList();

    private static boolean isSeen(Class<?> type) {
        return (Modifier.isPublic(type.getModifiers()) || Modifier.isProtected(type.getModifiers()))
                && (type.getEnclosingClass() == null || isSeen(type.getEnclosingClass()));
    }

    @Test
    void looksAtAllOfIt() {
        assertThat(API).hasSizeGreaterThan(80).contains(OperatorBuilder.class, OnTimer.Options.class);
        assertThat(hidden(Breaches.class))
                .as("what the rule sees in a class that breaks it")
                .hasSize(3);
    }

    @Test
    void namesNoTypesThatUsersDoNotSee() {
        assertThat(API.stream().flatMap(PublicApiTest::hidden)).isEmpty();
    }

    @Test
    void recordsAreMadeByTheFrameworkAlone() {
        assertThat(API.stream().filter(Class::isRecord)).containsExactlyInAnyOrderElementsOf(RECORDS);
    }

    private static Stream<String> hidden(Class<?> type) {
        List<Type> named = new ArrayList<>(Arrays.asList(type.getGenericInterfaces()));
        named.add(type.getGenericSuperclass());
        for (Constructor<?> each : type.getDeclaredConstructors()) {
            if (isSeen(each)) {
                named.addAll(signature(each));
            }
        }
        for (Method each : type.getDeclaredMethods()) {
            if (isSeen(each)) {
                named.add(each.getGenericReturnType());
                named.addAll(signature(each));
            }
        }
        for (Field each : type.getDeclaredFields()) {
            if (Modifier.isPublic(each.getModifiers()) || Modifier.isProtected(each.getModifiers())) {
                named.add(each.getGenericType());
            }
        }
        return named.stream()
                .flatMap(PublicApiTest::classes)
                .filter(used -> used.getName().startsWith("dev.kopf4j") && !(isExported(used) && isSeen(used)))
                .map(used -> type.getName() + " names " + used.getName());
    }

    private static boolean isExported(Class<?> used) {
        return EXPORTED.contains(used.getPackageName());
    }

    private static boolean isSeen(Executable member) {
        return !member.isSynthetic()
                && (Modifier.isPublic(member.getModifiers()) || Modifier.isProtected(member.getModifiers()));
    }

    private static List<Type> signature(Executable member) {
        List<Type> types = new ArrayList<>(Arrays.asList(member.getGenericParameterTypes()));
        types.addAll(Arrays.asList(member.getGenericExceptionTypes()));
        return types;
    }

    private static Stream<Class<?>> classes(Type type) {
        return switch (type) {
            case null -> Stream.empty();
            case Class<?> plain -> plain.isArray() ? classes(plain.getComponentType()) : Stream.of(plain);
            case ParameterizedType generic ->
                Stream.concat(
                        classes(generic.getRawType()),
                        Arrays.stream(generic.getActualTypeArguments()).flatMap(PublicApiTest::classes));
            case WildcardType wildcard ->
                Stream.concat(Arrays.stream(wildcard.getUpperBounds()), Arrays.stream(wildcard.getLowerBounds()))
                        .flatMap(PublicApiTest::classes);
            case GenericArrayType array -> classes(array.getGenericComponentType());
            case TypeVariable<?> variable -> Stream.empty(); // its bounds may name itself
            default -> throw new AssertionError("an unknown sort of type: " + type);
        };
    }

    /** What the rule must see: a parameter, an argument of a type, and a field. */
    @SuppressWarnings("unused")
    public static final class Breaches {
        public final dev.kopf4j.json.FieldPath[] field = {};

        public List<? extends dev.kopf4j.json.FieldPath> method(dev.kopf4j.json.FieldPath parameter) {
            return List.of(parameter);
        }
    }
}
