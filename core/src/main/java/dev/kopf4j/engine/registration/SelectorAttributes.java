package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.handling.declaration.AnnotationAttributes;
import dev.kopf4j.integration.CustomTypes;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The resource that an annotation names. Immutable.
 *
 * @param attributes the annotation
 * @param methods finds the method that it may name
 * @param method whose parameters may say it, too
 */
record SelectorAttributes(AnnotationAttributes attributes, NamedMethods methods, Method method) {
    private static final String WAYS = "kind, plural, singular, shortName, category, model, or resourceWhen";

    private static final List<Map.Entry<String, Function<String, ResourceSelector>>> NAMES = List.of(
            Map.entry("kind", ResourceSelector::ofKind),
            Map.entry("plural", ResourceSelector::ofPlural),
            Map.entry("singular", ResourceSelector::ofSingular),
            Map.entry("shortName", ResourceSelector::ofShortName),
            Map.entry("category", ResourceSelector::ofCategory));

    ResourceSelector read() {
        List<ResourceSelector> named = named();
        if (named.isEmpty()) {
            parameterTypes().map(ResourceSelector::ofModel).forEach(named::add);
        }
        if (named.isEmpty()) {
            throw new HandlerDeclarationException("no resource is named; give a name as in \"kopfexamples\", a " + WAYS
                    + ", or take a type with @CustomResource as a parameter");
        }
        if (named.size() > 1) {
            throw new HandlerDeclarationException("the resource is named in several ways at once: " + named
                    + "; give either a name, or one of " + WAYS);
        }
        ResourceSelector selector = ModelSelectors.resolved(named.getFirst());
        String group = attributes.text("group");
        String version = attributes.text("version");
        selector = group.isEmpty() ? selector : selector.inGroup(group);
        return version.isEmpty() ? selector : selector.inVersion(version);
    }

    /** Types of parameters that say by themselves which resource they are. */
    private Stream<Class<?>> parameterTypes() {
        return Arrays.stream(method.getParameterTypes())
                .filter(CustomTypes::isCustomResource)
                .distinct();
    }

    private List<ResourceSelector> named() {
        List<ResourceSelector> named = new ArrayList<>();
        String[] parts = attributes.texts("value");
        if (parts.length > 0) {
            named.add(ResourceSelector.of(parts));
        }
        NAMES.forEach(way -> {
            String name = attributes.text(way.getKey());
            if (!name.isEmpty()) {
                named.add(way.getValue().apply(name));
            }
        });
        attributes.type("model").map(ResourceSelector::ofModel).ifPresent(named::add);
        if (!attributes.text("resourceWhen").isEmpty()) {
            named.add(ResourceSelector.matching(methods.resourceTest(attributes.text("resourceWhen"))));
        }
        return named;
    }
}
