package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.kopf4j.crd.Condition;
import dev.kopf4j.spi.Integration;
import dev.kopf4j.spi.RequestChannel;
import dev.kopf4j.webhook.WebhookResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds what users see: nothing in it names a type that they do not see, and no option changes a constructor. */
class PublicApiTest {
    private static final Set<String> EXPORTED =
            Set.of("dev.kopf4j", "dev.kopf4j.crd", "dev.kopf4j.rbac", "dev.kopf4j.spi", "dev.kopf4j.webhook");

    /**
     * Only the framework makes them: they may get components, and keep the constructor of before, since tests of users
     * may call it. Whatever users make is made by methods, but for conditions.
     */
    private static final Set<Class<?>> RECORDS = Set.of(
            Diff.class,
            Diff.Item.class,
            DueHandler.class,
            HandlerCall.class,
            HandlerOutcome.class,
            Integration.Access.class,
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

    /** What users and other libraries implement, with all that they must: what comes later has a default. */
    private static final Map<Class<?>, Set<String>> IMPLEMENTED = Map.of(
            DiffBaseStorage.Custom.class, Set.of("fetch(Map)", "store(Map, Map)"),
            Integration.class,
                    Set.of(
                            "binds(Class)",
                            "bind(String, Class)",
                            "serves(Class)",
                            "open(Class, Access)",
                            "isModel(Object)",
                            "toMap(Object)",
                            "changeMetadata(Object, Consumer)",
                            "part(Object, String)",
                            "selector(Class)"),
            MetricsListener.class, Set.of(),
            ProgressStorage.Custom.class, Set.of("fetch(String, Map)", "store(String, Map, Map)", "purge(String, Map)"),
            Tracing.class, Set.of("begin(Start)"),
            Tracing.Span.class,
                    Set.of(
                            "traceId()",
                            "spanId()",
                            "enter()",
                            "set(String, String)",
                            "set(String, long)",
                            "set(String, double)",
                            "link(String)",
                            "fail(String)",
                            "end(Instant)"));

    /** The attributes beside {@code value} that annotations must be given: what comes later has a default. */
    private static final Set<String> REQUIRED = Set.of(
            "CustomResource.group",
            "CustomResource.version",
            "OnConvert.from",
            "OnConvert.to",
            "OnReconcile.children",
            "PolicyRule.resources",
            "PolicyRule.verbs");

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
        assertThat(API.stream().filter(Class::isRecord).filter(type -> type != Condition.class))
                .containsExactlyInAnyOrderElementsOf(RECORDS);
    }

    /** It is part of users' status records, and so of their definitions; users make it, too. */
    @Test
    void aConditionHasTheFieldsOfKubernetesAndGetsNoOthers() {
        assertThat(Condition.class.getRecordComponents())
                .extracting(RecordComponent::getName)
                .containsExactly("type", "status", "observedGeneration", "lastTransitionTime", "reason", "message");
    }

    @Test
    void whatUsersImplementAsksForNothingNew() {
        assertThat(IMPLEMENTED.keySet())
                .allSatisfy(type ->
                        assertThat(abstractMethods(type)).as(type.getName()).isEqualTo(IMPLEMENTED.get(type)));
    }

    @Test
    void allOtherInterfacesAreFunctionalOrSealedOrSayThatTheyAreNotToBeImplemented() {
        assertThat(API.stream()
                        .filter(type -> type.isInterface() && !type.isAnnotation() && !type.isSealed())
                        .filter(type -> !type.isAnnotationPresent(FunctionalInterface.class))
                        .filter(type -> !IMPLEMENTED.containsKey(type)))
                .hasSizeGreaterThan(30)
                .allSatisfy(type -> assertThat(comment(type)).as(type.getName()).contains("; not to be implemented."));
    }

    @Test
    void annotationsAskForNothingNew() {
        assertThat(API.stream()
                        .filter(Class::isAnnotation)
                        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                        .filter(attribute -> attribute.getDefaultValue() == null)
                        .filter(attribute -> !attribute.getName().equals("value"))
                        .map(attribute -> attribute.getDeclaringClass().getSimpleName() + "." + attribute.getName()))
                .containsExactlyInAnyOrderElementsOf(REQUIRED);
    }

    private static Set<String> abstractMethods(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                .map(method -> method.getName()
                        + Arrays.stream(method.getParameterTypes())
                                .map(Class::getSimpleName)
                                .collect(Collectors.joining(", ", "(", ")")))
                .collect(Collectors.toSet());
    }

    /** The comment in front of an interface, in one line. */
    private static String comment(Class<?> type) {
        try {
            String source = Files.readString(
                    Path.of("src/main/java").resolve(outermost(type).getName().replace('.', '/') + ".java"));
            String before = source.split("interface " + type.getSimpleName() + "\\b", 2)[0];
            return before.substring(before.lastIndexOf("/**")).replaceAll("\\s+\\* |\\s+", " ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> outermost(Class<?> type) {
        Class<?> around = type.getEnclosingClass();
        return around == null ? type : outermost(around);
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
