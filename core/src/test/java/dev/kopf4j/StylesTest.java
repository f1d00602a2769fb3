package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing works in one style only: what annotations have, options have, and the other way round. */
class StylesTest {
    /** What functions give as arguments, by the builder and by selectors. */
    private static final Set<String> ARGUMENTS = Set.of(
            "id",
            "value",
            "kind",
            "plural",
            "singular",
            "shortName",
            "category",
            "model",
            "resourceWhen",
            "group",
            "version");

    static List<Arguments> styles() {
        return List.of(
                pair(OnCreate.class, OnCreate.Options.class),
                pair(OnUpdate.class, OnUpdate.Options.class),
                pair(OnDelete.class, OnDelete.Options.class),
                pair(OnResume.class, OnResume.Options.class),
                pair(OnField.class, OnField.Options.class),
                pair(OnEvent.class, OnEvent.Options.class),
                pair(OnIndex.class, OnIndex.Options.class),
                pair(OnDaemon.class, OnDaemon.Options.class),
                pair(OnTimer.class, OnTimer.Options.class),
                pair(OnValidate.class, OnValidate.Options.class),
                pair(OnMutate.class, OnMutate.Options.class),
                pair(OnReconcile.class, OnReconcile.Options.class),
                pair(OnChild.class, OnChild.Options.class),
                pair(SubHandler.class, SubHandlers.Options.class),
                pair(OnStartup.class, ActivityOptions.class),
                pair(OnCleanup.class, ActivityOptions.class),
                pair(OnLogin.class, ActivityOptions.class),
                pair(OnProbe.class, ActivityOptions.class));
    }

    private static Arguments pair(Class<? extends Annotation> annotation, Class<?> options) {
        return Arguments.of(Named.of(annotation.getSimpleName(), annotation), options);
    }

    @ParameterizedTest
    @MethodSource("styles")
    void attributesAndOptionsAreTheSame(Class<? extends Annotation> annotation, Class<?> options) {
        Set<String> attributes = names(annotation.getDeclaredMethods());
        attributes.removeAll(ARGUMENTS);
        Set<String> asOptions = attributes.stream().map(StylesTest::option).collect(Collectors.toSet());
        assertThat(asOptions).hasSizeGreaterThan(4).isEqualTo(options(annotation, options));
    }

    private static Set<String> options(Class<? extends Annotation> annotation, Class<?> options) {
        Set<String> names = names(options.getMethods());
        if (annotation.equals(SubHandler.class)) {
            // An argument of addMethod.
            names.remove("param");
        }
        return names;
    }

    /** Annotations name a method, or give JSON, where options take a function or any value. */
    private static String option(String attribute) {
        return attribute.replaceFirst("(When|By|Json)$", "");
    }

    @Test
    void eachWayToNameAResourceHasItsSelector() {
        Set<String> selectors = names(ResourceSelector.class.getDeclaredMethods());
        assertThat(names(OnCreate.class.getDeclaredMethods())).containsAll(ARGUMENTS);
        assertThat(ARGUMENTS.stream().filter(name -> !name.equals("id")).map(StylesTest::selector))
                .allMatch(selectors::contains);
    }

    private static String selector(String attribute) {
        return switch (attribute) {
            case "value" -> "of";
            case "resourceWhen" -> "matching";
            case "group" -> "inGroup";
            case "version" -> "inVersion";
            default -> "of" + Character.toUpperCase(attribute.charAt(0)) + attribute.substring(1);
        };
    }

    /** What a kind does not have cannot be written: no rule has to refuse it at the start. */
    @Test
    void kindsHaveNoOptionsOfOthers() {
        assertThat(names(OnCreate.Options.class.getMethods()))
                .doesNotContain("interval", "optional", "deleted", "oldValue", "cancellationTimeout");
        assertThat(names(OnEvent.Options.class.getMethods())).doesNotContain("retries", "errors", "timeout", "backoff");
        assertThat(names(OnDaemon.Options.class.getMethods())).doesNotContain("interval", "idle");
        assertThat(names(OnTimer.Options.class.getMethods())).doesNotContain("cancellationTimeout");
    }

    private static Set<String> names(Method[] methods) {
        return Stream.of(methods)
                .filter(method -> !method.isSynthetic())
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
