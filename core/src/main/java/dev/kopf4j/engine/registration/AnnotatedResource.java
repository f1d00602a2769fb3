package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.integration.CustomTypes;
import dev.kopf4j.integration.IntegrationLookup;
import java.lang.reflect.Method;
import java.util.ArrayList;
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
record AnnotatedResource(AnnotationAttributes attributes, NamedMethods methods, Method method) {
    private static final String WAYS = "kind, plural, singular, shortName, category, model, or resourceWhen";

    private static final List<Map.Entry<String, Function<String, ResourceSelector>>> NAMES = List.of(
            Map.entry("kind", ResourceSelector::ofKind),
            Map.entry("plural", ResourceSelector::ofPlural),
            Map.entry("singular", ResourceSelector::ofSingular),
            Map.entry("shortName", ResourceSelector::ofShortName),
            Map.entry("category", ResourceSelector::ofCategory));

    /** The resource that the annotation, or a parameter, names. */
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
        ResourceSelector selector = resolved(named.getFirst());
        String group = attributes.text("group");
        String version = attributes.text("version");
        selector = group.isEmpty() ? selector : selector.inGroup(group);
        return version.isEmpty() ? selector : selector.inVersion(version);
    }

    /** Types of parameters that say by themselves which resource they are. */
    private Stream<Class<?>> parameterTypes() {
        return HandlerMethods.classesOf(methods.instance().type(), method)
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

    /** The resource of the objects that a handler of children is called for. */
    ResourceSelector parent() {
        String[] parts = attributes.texts("parent");
        if (parts.length == 0) {
            throw new HandlerDeclarationException("no parent is named; give its resource, as in parent = \"websites\"");
        }
        return resolved(ResourceSelector.of(parts));
    }

    /**
     * The same selector with the group, version and kind of the model class in place of the class.
     *
     * @throws HandlerDeclarationException if no integration knows the class, or it contradicts the selector
     */
    static ResourceSelector resolved(ResourceSelector selector) {
        return selector.model()
                .map(AnnotatedResource::ofModel)
                .map(found -> selector.group().map(found::inGroup).orElse(found))
                .map(found -> selector.version().map(found::inVersion).orElse(found))
                .orElse(selector);
    }

    private static ResourceSelector ofModel(Class<?> model) {
        return CustomTypes.selector(model)
                .or(() -> IntegrationLookup.forModelType(model).flatMap(integration -> integration.selector(model)))
                .orElseThrow(() -> new HandlerDeclarationException("no integration knows " + model.getName()
                        + " as a model, and it is not annotated with @CustomResource; annotate it, add the module of the"
                        + " models, such as kopf4j-fabric8, or name the resource"));
    }
}
