package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.ResourceSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The resource that an annotation names. Immutable.
 *
 * @param attributes the annotation
 * @param methods finds the method that it may name
 */
record SelectorAttributes(AnnotationAttributes attributes, NamedMethods methods) {
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
            throw new HandlerDeclarationException(
                    "no resource is named; give a name as in \"kopfexamples\", or a " + WAYS);
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
