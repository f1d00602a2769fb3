package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.integration.CustomTypes;
import dev.kopf4j.integration.IntegrationLookup;

/** Finds out which resources model classes stand for. */
final class ModelSelectors {
    private ModelSelectors() {}

    /**
     * The same selector with the group, version and kind of the model class in place of the class.
     *
     * @throws HandlerDeclarationException if no integration knows the class, or it contradicts the selector
     */
    static ResourceSelector resolved(ResourceSelector selector) {
        return selector.model()
                .map(ModelSelectors::of)
                .map(found -> selector.group().map(found::inGroup).orElse(found))
                .map(found -> selector.version().map(found::inVersion).orElse(found))
                .orElse(selector);
    }

    private static ResourceSelector of(Class<?> model) {
        return CustomTypes.selector(model)
                .or(() -> IntegrationLookup.forModelType(model).flatMap(integration -> integration.selector(model)))
                .orElseThrow(() -> new HandlerDeclarationException("no integration knows " + model.getName()
                        + " as a model, and it is not annotated with @CustomResource; annotate it, add the module of the"
                        + " models, such as kopf4j-fabric8, or name the resource"));
    }
}
