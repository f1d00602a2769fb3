package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.declaration.DeclaredOptions.Annotated;
import dev.kopf4j.engine.declaration.HandlerDeclaration;
import dev.kopf4j.engine.injection.MethodInvoker.HandlerArguments;
import dev.kopf4j.integration.CustomTypes;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Turns one annotation of one method into its declaration. Pure.
 *
 * @param attributes the annotation
 * @param arguments what the method can be given
 * @param methods finds the methods that the annotation names
 * @param method the annotated method
 */
record HandlerAnnotationReader(
        AnnotationAttributes attributes, HandlerArguments arguments, NamedMethods methods, Method method) {
    HandlerDeclaration read() {
        Annotated options = new AnnotatedOptions(attributes, methods).read().param(arguments.param());
        if (arguments.kind() != HandlerKind.CHILD) {
            return options.declare(arguments.kind(), resource(), attributes.id());
        }
        return options.children(resource()).declare(arguments.kind(), parent(), attributes.id());
    }

    private ResourceSelector resource() {
        return new SelectorAttributes(attributes, methods, method).read();
    }

    /** The resource of the objects that a handler of children is called for. */
    private ResourceSelector parent() {
        String[] parts = attributes.texts("parent");
        if (parts.length == 0) {
            throw new HandlerDeclarationException("no parent is named; give its resource, as in parent = \"websites\"");
        }
        return ModelSelectors.resolved(ResourceSelector.of(parts));
    }

    /**
     * The resource that an annotation names. Immutable.
     *
     * @param attributes the annotation
     * @param methods finds the method that it may name
     * @param method whose parameters may say it, too
     */
    private record SelectorAttributes(AnnotationAttributes attributes, NamedMethods methods, Method method) {
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
                throw new HandlerDeclarationException("no resource is named; give a name as in \"kopfexamples\", a "
                        + WAYS + ", or take a type with @CustomResource as a parameter");
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
}
